import { ConsoleLogger } from '@nestjs/common';
import type { NestApplicationContextOptions } from '@nestjs/common/interfaces/nest-application-context-options.interface.js';

/**
 * For `NestFactory`: buffers log lines until there is a logger. When a start fails there is none, and the caller
 * reports the error.
 */
export const CONTEXT_OPTIONS: NestApplicationContextOptions = {
  bufferLogs: true,
  abortOnError: false,
  logger: new ConsoleLogger({ logLevels: ['fatal'] }),
};

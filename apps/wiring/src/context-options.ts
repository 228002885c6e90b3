import { ConsoleLogger } from '@nestjs/common';
import type { NestApplicationContextOptions } from '@nestjs/common/interfaces/nest-application-context-options.interface.js';

/**
 * For `NestFactory`: what is logged before there is a logger waits for it. When a start fails there never is one, and
 * whoever started it says why.
 */
export const CONTEXT_OPTIONS: NestApplicationContextOptions = {
  bufferLogs: true,
  abortOnError: false,
  logger: new ConsoleLogger({ logLevels: ['fatal'] }),
};

import { ConsoleLogger, type INestApplicationContext } from '@nestjs/common';
import { Logger } from 'nestjs-pino';
import { stdTimeFunctions } from 'pino';
import type { Options } from 'pino-http';
import type { Settings } from '#config';
import { describeRelease, RELEASE } from '#process';
import { scrubSecrets } from './scrub-secrets.ts';

const INFO = 30;

/** Parts of the framework that log every route and module at the start. */
const CHATTER = new Set(['InstanceLoader', 'NestApplication', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/** Log format: one JSON object a line, without secrets. */
export function logOptions({ level }: Settings['log'], process: string) {
  return {
    level,
    base: { process },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    // Otherwise it would get the result of another serializer.
    wrapSerializers: false,
    hooks: {
      streamWrite: scrubSecrets,
      logMethod(args, method, level) {
        const [facts] = args as readonly unknown[];
        const isChatter = level === INFO && CHATTER.has((facts as { context?: string } | null)?.context ?? '');
        (isChatter ? this.debug : method).apply(this, args);
      },
    },
  } satisfies Options;
}

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

/** The fields of an error that are logged; drivers add values and whole statements. */
function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    type: name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(stack ? { stack } : {}),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

/**
 * For `NestFactory`: buffers log lines until there is a logger. When a start fails there is none, and the caller
 * reports the error.
 */
export const CONTEXT_OPTIONS = {
  bufferLogs: true,
  abortOnError: false,
  logger: new ConsoleLogger({ logLevels: ['fatal'] }),
};

/** Logs as JSON from now on: first the release, then what the start has logged so far. */
export function startLogging(app: INestApplicationContext): void {
  const logger = app.get(Logger);
  logger.log(`x12 ${describeRelease(RELEASE)}`, 'Release');
  app.useLogger(logger);
}

/**
 * Passes a message on unless it passed the same one within so many seconds: an unreachable server makes every attempt
 * of every caller fail with the same message.
 */
export function atMostEvery(seconds: number, say: (message: string) => void): (message: string) => void {
  const saidAt = new Map<string, number>();
  return (message) => {
    const now = Date.now();
    if (now - (saidAt.get(message) ?? -Infinity) < seconds * 1000) return;
    for (const [said, at] of saidAt) if (now - at >= seconds * 1000) saidAt.delete(said);
    saidAt.set(message, now);
    say(message);
  };
}

import { format } from 'node:util';
import { ConsoleLogger, type INestApplicationContext, Logger as NestLogger } from '@nestjs/common';
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
    // Without it, `err` would get the result of another serializer.
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

/** The logged fields of an error: drivers add values and whole statements to it. */
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
 * For `NestFactory`: buffers log lines until the logger is set. When a start fails, the caller reports the error.
 */
export const CONTEXT_OPTIONS = {
  bufferLogs: true,
  abortOnError: false,
  logger: new ConsoleLogger({ logLevels: ['fatal'] }),
};

/** Logs as JSON from now on: first the release, then the buffered lines of the start. */
export function startLogging(app: INestApplicationContext): void {
  const logger = app.get(Logger);
  logger.log(`x12 ${describeRelease(RELEASE)}`, 'Release');
  app.useLogger(logger);
}

/**
 * Limits repeated messages: passes the same message on once within `seconds`. An unreachable server makes every attempt
 * of every caller fail with the same message.
 */
export function atMostEvery(seconds: number, log: (message: string) => void): (message: string) => void {
  const loggedAt = new Map<string, number>();
  return (message) => {
    const now = Date.now();
    if (now - (loggedAt.get(message) ?? -Infinity) < seconds * 1000) return;
    for (const [logged, at] of loggedAt) if (now - at >= seconds * 1000) loggedAt.delete(logged);
    loggedAt.set(message, now);
    log(message);
  };
}

/**
 * From now on what libraries print as warnings goes through the log, each text once: BullMQ warns for each connection.
 *
 * @returns restores what was before
 */
export function logWarnings(): () => void {
  const printed = globalThis['console'];
  const former = printed.warn;
  const logger = new NestLogger('Library');
  const once = atMostEvery(Infinity, (message) => logger.warn(message));
  printed.warn = (...args: unknown[]) => once(format(...args).replace(/\s+/g, ' '));
  return () => void (printed.warn = former);
}

import { type LoggerOptions, stdTimeFunctions } from 'pino';
import type { LogSettings } from '#config';
import { scrubSecrets } from './scrub-secrets.ts';

/** How a process writes its log: one JSON object a line, without secrets. */
export function logOptions({ level }: LogSettings, process: string): LoggerOptions {
  return {
    level,
    base: { process },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    hooks: { streamWrite: scrubSecrets },
  };
}

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

/** Of an error only what says where and why; drivers hang values and whole statements on theirs. */
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

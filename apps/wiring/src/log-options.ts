import { stdTimeFunctions } from 'pino';
import type { Options } from 'pino-http';
import type { LogSettings } from '#config';
import { scrubSecrets } from './scrub-secrets.ts';

const INFO = 30;

/** Parts of the framework that tell of every route and module when a process starts. */
const CHATTER = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** How a process writes its log: one JSON object a line, without secrets. */
export function logOptions({ level }: LogSettings, process: string) {
  return {
    level,
    base: { process },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    // Else it would be given what another serializer has made of the error.
    wrapSerializers: false,
    hooks: {
      streamWrite: scrubSecrets,
      logMethod(args, method, level) {
        const [facts] = args as readonly unknown[];
        const isChatter =
          level === INFO && CHATTER.has((facts as { context?: string } | null)?.context ?? '');
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

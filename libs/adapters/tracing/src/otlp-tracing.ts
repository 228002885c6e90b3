import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { NO_SPAN, type Span, type SpanOptions, type Tracing } from '#kernel';

export interface OtlpOptions {
  /** URL of the collector; `/v1/traces` is appended. */
  readonly endpoint: string;
  /** The part of the traces to send, 0 to 1. The decision of a caller's `traceparent` takes precedence. */
  readonly ratio: number;
  readonly serviceName: string;
  readonly serviceVersion: string;
  readonly onError: (message: string) => void;
}

const EXPORT_MS = 5000;
/** Time limit of the last export. */
const CLOSE_MS = 1000;

const KINDS = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
};

/**
 * Sends spans by OTLP over HTTP, in batches, and drops them while the collector is unreachable. Patches nothing and uses
 * no globals: only explicit spans are recorded.
 */
export class OtlpTracing implements Tracing {
  readonly #contexts = new AsyncLocalStorageContextManager().enable();
  readonly #provider: TracerProvider;

  constructor({ endpoint, ratio, serviceName, serviceVersion, onError }: OtlpOptions) {
    const ignore = (): void => undefined;
    const logger = { error: onError, warn: onError, info: ignore, debug: ignore, verbose: ignore };
    diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
    const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
    const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': serviceVersion }),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
      spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000 })],
    });
  }

  async span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const { kind, attributes, onlyWithin = false } = options;
    const parent = this.#parentOf(options);
    if (onlyWithin && !trace.getSpan(parent)) return work(NO_SPAN);
    const open = this.#provider.getTracer('x12').startSpan(name, { kind: KINDS[kind], attributes }, parent);
    const fail = () => void open.setStatus({ code: SpanStatusCode.ERROR });
    const span: Span = {
      rename: (newName) => void open.updateName(newName),
      describe: (more) => void open.setAttributes(more),
      fail,
    };
    try {
      return await this.#contexts.with(trace.setSpan(parent, open), () => work(span));
    } catch (error) {
      // Only the name: the message may quote user input.
      open.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      fail();
      throw error;
    } finally {
      open.end();
    }
  }

  current(): string | undefined {
    const context = trace.getSpanContext(this.#contexts.active());
    if (!context) return undefined;
    const flags = context.traceFlags.toString(16).padStart(2, '0');
    return `00-${context.traceId}-${context.spanId}-${flags}`;
  }

  /** Sends the remaining spans, for at most a second. */
  async close(): Promise<void> {
    const shutdown = this.#provider.shutdown().catch(() => undefined);
    const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
    await Promise.race([shutdown, late]);
  }

  #parentOf({ parent }: SpanOptions): Context {
    const remote = parent === undefined ? null : parseTraceParent(parent);
    if (remote) return trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
    return this.#contexts.active();
  }
}

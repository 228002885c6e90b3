/** What a span is: a request that came in, work that was announced or is run, or a call to something outside. */
export type SpanKind = 'server' | 'producer' | 'consumer' | 'client';

/** Names and numbers that are safe to show: no token, no prompt, no signed URL. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span that is open. */
export interface Span {
  rename(name: string): void;
  describe(attributes: SpanAttributes): void;
  fail(): void;
}

export interface SpanOptions {
  readonly kind: SpanKind;
  readonly attributes?: SpanAttributes;
  /** The `traceparent` to continue, of W3C Trace Context; by default the current span's. */
  readonly parent?: string;
  /** When there is no parent: whether to run without a span instead of beginning a trace (default false). */
  readonly onlyWithin?: boolean;
}

/** Spans, and what joins those of several processes to one trace. */
export interface Tracing {
  /** Runs `work` in a span, which is its current one. The span has failed when `work` rejects. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** The `traceparent` of the current span; `undefined` outside of any. */
  current(): string | undefined;
}

/** What work gets that runs in no span. */
export const NO_SPAN: Span = { rename() {}, describe() {}, fail() {} };

/** Runs everything without spans. */
export const noTracing: Tracing = { span: (_name, _options, work) => work(NO_SPAN), current: () => undefined };

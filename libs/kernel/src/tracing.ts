/** An incoming request, an announced job, a running job, or an outgoing call. */
export type SpanKind = 'server' | 'producer' | 'consumer' | 'client';

/** Values that are safe to show: no tokens, prompts or signed URLs. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** An open span. */
export interface Span {
  rename(name: string): void;
  describe(attributes: SpanAttributes): void;
  fail(): void;
}

export interface SpanOptions {
  readonly kind: SpanKind;
  readonly attributes?: SpanAttributes;
  /** The W3C `traceparent` to continue (default: that of the current span). */
  readonly parent?: string;
  /** True if to run without a span, instead of a new trace, when there is no parent (default false). */
  readonly onlyWithin?: boolean;
}

/** Spans, joined to one trace across processes. */
export interface Tracing {
  /** Runs `work` with a new span as the current one. The span fails when `work` rejects. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** The `traceparent` of the current span; `undefined` without one. */
  current(): string | undefined;
}

/** Passed to work that runs without a span. */
export const NO_SPAN: Span = { rename() {}, describe() {}, fail() {} };

/** Runs everything without spans. */
export const noTracing: Tracing = { span: (_name, _options, work) => work(NO_SPAN), current: () => undefined };

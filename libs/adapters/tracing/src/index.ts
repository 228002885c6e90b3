export * from './otlp-tracing.ts';

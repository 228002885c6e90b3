export * from './safe-http.ts';
export * from './safe-remote-sources.ts';

export * from './in-memory-remote-sources.ts';
export * from './remote-sources-contract.ts';

export * from './in-memory-videos.ts';
export * from './picture-derivatives-contract.ts';
export * from './videos-contract.ts';

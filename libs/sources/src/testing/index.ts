export * from './in-memory-pictures.ts';
export * from './in-memory-remote-sources.ts';
export * from './pictures-contract.ts';
export * from './sample-pictures.ts';
export * from './sources-stage.ts';
export * from './temporary-folder.ts';

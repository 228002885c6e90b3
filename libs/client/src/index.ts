export { configure, type X12Options } from './configure.ts';
export { client } from './generated/client.gen.ts';
export * from './generated/index.ts';
export { type FieldErrors, X12Error, type X12ErrorCode } from './x12-error.ts';

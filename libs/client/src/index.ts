export type { BatchChange } from './batch-events.ts';
export type { BoardEvent, Onlooker } from './board-events.ts';
export { configure, type X12Options } from './configure.ts';
export { GenerationError } from './generation-error.ts';
export type { GenerationEvent } from './generation-events.ts';
export { client } from './generated/client.gen.ts';
export type { Client } from './generated/client/index.ts';
export * from './generated/index.ts';
export type { List } from './list.ts';
export { PICTURE_STEPS, type PictureOptions, pictureSrcset, pictureUrl, type StoredPicture } from './picture-url.ts';
export type { RetryOptions } from './retrying-fetch.ts';
export type {
  FileToAllocate,
  UploadedFile,
  UploadOptions,
  UploadProgress,
  UploadSource,
  UploadState,
} from './upload.ts';
export type { EventsToFollow } from './workspace-events.ts';
export {
  type BatchInput,
  type BatchWaitOptions,
  type CallOptions,
  type GenerateInput,
  type RunInput,
  type StartOptions,
  type WaitOptions,
  X12,
} from './x12.ts';
export { type FieldErrors, X12AbortError, X12Error, type X12ErrorCode, X12TimeoutError } from './x12-error.ts';

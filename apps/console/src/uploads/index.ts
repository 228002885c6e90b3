export { useDropAnywhere } from './drop-anywhere.ts';
export { DropAnywhere } from './DropAnywhere.tsx';
export { isActive, type UploadEntry } from './entry.ts';
export { UploadRow } from './UploadRow.tsx';
export { type Upload, UploadCanceled } from './uploads.ts';
export { UploadTray } from './UploadTray.tsx';
export { useFilesInHand, useFileTarget } from './use-file-target.ts';
export { uploadFiles, uploads, UploadsOf, useUploads, useUploadTotals } from './use-uploads.ts';
export { words as uploadWords } from './words.ts';

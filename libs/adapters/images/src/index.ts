export { StrippedPictures } from './stripped-pictures.ts';
export { LabelledPictures } from './labelled-pictures.ts';
export { headOf, MagicFileTypes } from './magic-file-types.ts';
export * from './pictures-and-videos.ts';
export { PictureProcesses } from './process/picture-processes.ts';

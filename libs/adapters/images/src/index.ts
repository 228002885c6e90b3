export { StrippedPictures } from './stripped-pictures.ts';
export { LabelledPictures } from './labelled-pictures.ts';
export { headOf, MagicFileTypes, MarkedFileTypes } from './magic-file-types.ts';
export * from './pictures-and-videos.ts';
export { PictureProcesses } from './process/picture-processes.ts';

export * from './ffmpeg-videos.ts';
export * from './magic-file-types.ts';
export * from './process/picture-processes.ts';
export * from './sharp-pictures.ts';

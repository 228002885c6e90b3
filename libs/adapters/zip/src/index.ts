export { ZipArchives } from './zip-archives.ts';

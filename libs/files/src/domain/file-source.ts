import type { FileOrigin } from './stored-file.ts';

/** How a file came to be. */
export const FILE_SOURCES = ['generated', 'uploaded', 'imported', 'derived'] as const;
export type FileSource = (typeof FILE_SOURCES)[number];

const SOURCE_OF = { output: 'generated', upload: 'uploaded', import: 'imported' } as const;

/** The source of an item of the library. Files that are made of others, such as thumbnails, are `derived`, and no items. */
export function sourceOf(origin: FileOrigin): FileSource {
  return SOURCE_OF[origin];
}

/** The reverse of `sourceOf`; `null` for `derived`. */
export function originOf(source: FileSource): FileOrigin | null {
  return (Object.keys(SOURCE_OF) as FileOrigin[]).find((origin) => SOURCE_OF[origin] === source) ?? null;
}

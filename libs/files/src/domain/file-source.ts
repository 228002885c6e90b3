import type { FileOrigin } from './stored-file.ts';

/** How a file came to be. */
export const FILE_SOURCES = ['generated', 'uploaded', 'imported', 'derived'] as const;
export type FileSource = (typeof FILE_SOURCES)[number];

const SOURCE_OF = { output: 'generated', upload: 'uploaded', import: 'imported' } as const;

/** @param isDerived true for a file that the service made of another one, such as a thumbnail */
export function sourceOf(origin: FileOrigin, isDerived = false): FileSource {
  return isDerived ? 'derived' : SOURCE_OF[origin];
}

/** The reverse of `sourceOf`; `null` for `derived`, as files of any origin are. */
export function originOf(source: FileSource): FileOrigin | null {
  return (Object.keys(SOURCE_OF) as FileOrigin[]).find((origin) => SOURCE_OF[origin] === source) ?? null;
}

import type { Readable } from 'node:stream';
import type { ArchiveEntry, Archives } from '#export';
import type { ObjectStorage } from '#files';
import { csvRow, type Clock } from '#kernel';
import { INDEX, MISSING, pathsOf } from './domain/paths.ts';
import type { PictureLabels, ZippedFile } from './ports.ts';

/** Files whose values are read at once. */
const AT_ONCE = 500;

/** The columns of `index.csv` after the path of a file, and their values. */
export interface FileIndex<File> {
  readonly columns: readonly string[];
  /** By their order; undefined for a file that was deleted meanwhile. */
  values(files: readonly File[]): Promise<readonly (Values | undefined)[]>;
}

type Values = Parameters<typeof csvRow>[0];

/** A file and its path in the zip. */
type Named<File> = File & { readonly path: string };

/** Zips of files, made while they are sent: there is no copy, and memory does not depend on their size. */
export class Zips {
  constructor(
    private readonly storage: Pick<ObjectStorage, 'open'>,
    private readonly archives: Archives,
    private readonly labels: PictureLabels,
    private readonly clock: Clock,
  ) {}

  stream<File extends ZippedFile>(files: readonly File[], index: FileIndex<File>): AsyncIterable<Uint8Array> {
    return this.archives.zip(this.#entries(files, index));
  }

  async *#entries<File extends ZippedFile>(
    files: readonly File[],
    index: FileIndex<File>,
  ): AsyncGenerator<ArchiveEntry> {
    const paths = pathsOf(files);
    const present: Named<File>[] = [];
    const [deleted, unmade, unlabelled]: [string[], string[], string[]] = [[], [], []];
    for (const [at, file] of files.entries()) {
      const path = paths[at]!;
      const labelled = await this.#labelled(file);
      const bytes = labelled ?? (await this.#open(file));
      if (bytes) {
        present.push({ ...file, path });
        if (file.label && !labelled) unlabelled.push(path);
        try {
          yield { path, modifiedAt: file.createdAt, isCompressed: false, chunks: bytes };
        } finally {
          bytes.destroy();
        }
      } else (file.key === null ? unmade : deleted).push(path);
    }
    const now = { modifiedAt: this.clock.now(), isCompressed: true };
    yield { ...now, path: INDEX, chunks: rowsOf(present, index) };
    const missing = [
      ...listUnder('These files were deleted before they could be copied:', deleted),
      ...listUnder("These files are not made yet, or can't be made. Download them again later:", unmade),
      ...listUnder("These pictures can't be labelled, and are as they are:", unlabelled),
    ];
    if (missing.length > 0) yield { ...now, path: MISSING, chunks: chunksOf([missing.join('\r\n')]) };
  }

  async #open({ key }: ZippedFile): Promise<Readable | null> {
    return key === null ? null : this.storage.open(key);
  }

  /** One picture after the other: memory and temporary space do not depend on their number. */
  async #labelled(file: ZippedFile): Promise<Readable | null> {
    const bytes = file.label ? await this.#open(file) : null;
    return bytes && this.labels.label(bytes, file.label!);
  }
}

const listUnder = (title: string, paths: readonly string[]) => (paths.length === 0 ? [] : [title, ...paths, '']);

async function* rowsOf<File>(
  files: readonly Named<File>[],
  { columns, values }: FileIndex<File>,
): AsyncGenerator<Uint8Array> {
  yield firstRow(['name', ...columns]);
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const group = files.slice(from, from + AT_ONCE);
    const found = await values(group);
    for (const [at, { path }] of group.entries()) {
      yield Buffer.from(csvRow([path, ...(found[at] ?? columns.map(() => null))]));
    }
  }
}

/** Spreadsheets take a text without a mark for one in the old encoding of the system. */
function firstRow(columns: readonly string[]): Uint8Array {
  return Buffer.from(`\ufeff${csvRow(columns)}`);
}

async function* chunksOf(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

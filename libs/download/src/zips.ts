import type { ArchiveEntry, Archives } from '#export';
import type { ObjectStorage } from '#files';
import { csvRow, type Clock } from '#kernel';
import { INDEX, MISSING, pathsOf } from './domain/paths.ts';
import type { DownloadedFiles, FileFacts, ZippedFile } from './ports.ts';

/** Files whose facts are read at once. */
const FACTS = 500;
const COLUMNS = ['name', 'prompt', 'model', 'seed', 'cost', 'customer', 'metadata'];

/** The facts of a file that was deleted meanwhile. */
const NO_FACTS: FileFacts = { prompt: null, model: null, seed: null, cost: null, customer: null, metadata: null };

/** A file and its path in the zip. */
type NamedFile = ZippedFile & { readonly path: string };

/** Zips of files, made while they are sent: there is no copy, and memory does not depend on their size. */
export class Zips {
  constructor(
    private readonly storage: Pick<ObjectStorage, 'open'>,
    private readonly archives: Archives,
    private readonly clock: Clock,
  ) {}

  /** @param facts what the list in the zip says of the files beside their names; `null` for nothing */
  stream(files: readonly ZippedFile[], facts: Pick<DownloadedFiles, 'facts'> | null): AsyncIterable<Uint8Array> {
    return this.archives.zip(this.#entries(files, facts));
  }

  async *#entries(
    files: readonly ZippedFile[],
    facts: Pick<DownloadedFiles, 'facts'> | null,
  ): AsyncGenerator<ArchiveEntry> {
    const paths = pathsOf(files);
    const present: NamedFile[] = [];
    const [deleted, unmade]: [string[], string[]] = [[], []];
    for (const [index, file] of files.entries()) {
      const path = paths[index]!;
      const bytes = file.key === null ? null : await this.storage.open(file.key);
      if (bytes) {
        present.push({ ...file, path });
        yield { path, modifiedAt: file.createdAt, isCompressed: false, chunks: bytes };
      } else (file.key === null ? unmade : deleted).push(path);
    }
    const now = { modifiedAt: this.clock.now(), isCompressed: true };
    yield { ...now, path: INDEX, chunks: facts ? listWithFacts(present, facts) : listOfNames(present) };
    const missing = [
      ...listUnder('These files were deleted before they could be copied:', deleted),
      ...listUnder("These files are not made yet, or can't be made. Download them again later:", unmade),
    ];
    if (missing.length > 0) yield { ...now, path: MISSING, chunks: chunksOf([missing.join('\r\n')]) };
  }
}

const listUnder = (title: string, paths: readonly string[]) => (paths.length === 0 ? [] : [title, ...paths, '']);

async function* listWithFacts(
  files: readonly NamedFile[],
  source: Pick<DownloadedFiles, 'facts'>,
): AsyncGenerator<Uint8Array> {
  yield firstRow(COLUMNS);
  for (let from = 0; from < files.length; from += FACTS) {
    const group = files.slice(from, from + FACTS);
    const facts = await source.facts(group.map(({ id }) => id));
    for (const { id, path } of group) {
      const { prompt, model, seed, cost, customer, metadata } = facts.get(id) ?? NO_FACTS;
      yield Buffer.from(csvRow([path, prompt, model, seed, cost, customer, metadata && JSON.stringify(metadata)]));
    }
  }
}

async function* listOfNames(files: readonly NamedFile[]): AsyncGenerator<Uint8Array> {
  yield firstRow(['name']);
  for (const { path } of files) yield Buffer.from(csvRow([path]));
}

/** Spreadsheets take a text without a mark for one in the old encoding of the system. */
function firstRow(columns: readonly string[]): Uint8Array {
  return Buffer.from(`\ufeff${csvRow(columns)}`);
}

async function* chunksOf(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

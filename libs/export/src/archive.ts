import type { ObjectStorage } from '#files';
import {
  pathOf,
  readmeOf,
  type ArchiveIndex,
  type DocumentSummary,
  type MissingFile,
  type PersonalFile,
} from './domain/archive.ts';
import type { ArchiveEntry, PersonalSnapshot, Row } from './ports.ts';

interface Contents {
  readonly snapshot: PersonalSnapshot;
  readonly storage: Pick<ObjectStorage, 'open'>;
  readonly userId: number;
  readonly takenAt: Date;
  /** Public URL of the service. */
  readonly service: string;
  readonly signal: AbortSignal;
}

/** The entries of a person's zip. The index is the last one: it lists what could not be read. */
export async function* entriesOf(contents: Contents): AsyncGenerator<ArchiveEntry> {
  const { snapshot, takenAt, service, userId } = contents;
  const document = (path: string, chunks: AsyncIterable<Uint8Array>): ArchiveEntry => ({
    path,
    modifiedAt: takenAt,
    isCompressed: true,
    chunks: stoppable(chunks, contents.signal),
  });
  yield document('README.txt', textOf([readmeOf(snapshot.email, takenAt, service)]));

  const documents: DocumentSummary[] = [];
  for (const { name, about, rows } of snapshot.documents) {
    const path = `${name}.json`;
    const count = { rows: 0 };
    const shaped = name === 'files' ? withPaths(rows()) : rows();
    yield document(path, textOf(arrayOf(shaped, count)));
    documents.push({ path, about, ...count });
  }

  const copied = { count: 0, bytes: 0 };
  const missing: MissingFile[] = [];
  for await (const page of snapshot.files()) {
    for (const file of page) {
      const entry = await entryOf(file, contents);
      if (entry) {
        yield entry;
        copied.count++;
        copied.bytes += file.size;
      } else {
        missing.push({ id: file.id, path: pathOf(file), reason: 'deleted while the export was made' });
      }
    }
  }

  const files = { about: 'The files of the personal workspace: files.json has the path of each.', ...copied };
  const created_at = takenAt.toISOString();
  const index: ArchiveIndex = { created_at, user_id: userId, documents, files, missing_files: missing };
  yield document('index.json', textOf([JSON.stringify(index, null, 2), '\n']));
}

async function entryOf(file: PersonalFile, { storage, signal }: Contents): Promise<ArchiveEntry | null> {
  signal.throwIfAborted();
  const bytes = await storage.open(file.key);
  if (!bytes) return null;
  const chunks = stoppable(bytes as AsyncIterable<Uint8Array>, signal);
  return { path: pathOf(file), modifiedAt: file.createdAt, isCompressed: false, chunks };
}

/** The rows of the document `files`, with their path in the zip. */
async function* withPaths(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  for await (const page of pages) {
    yield page.map((row) => ({ ...row, path: pathOf({ id: Number(row.id), filename: String(row.filename) }) }));
  }
}

/** A JSON array with a row on each line. */
async function* arrayOf(pages: AsyncIterable<readonly Row[]>, count: { rows: number }): AsyncGenerator<string> {
  yield '[';
  for await (const page of pages) {
    const lines = page.map((row, index) => `${count.rows + index === 0 ? '' : ','}\n${JSON.stringify(row)}`);
    count.rows += page.length;
    yield lines.join('');
  }
  yield '\n]\n';
}

async function* textOf(parts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield encoder.encode(part);
}

async function* stoppable(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}

import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

export interface ZippedFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly isCompressed: boolean;
}

/** Reads a zip by its directory, with a library other than its writer. */
export async function readZip(zip: Buffer): Promise<readonly ZippedFile[]> {
  const archive = await fromBufferPromise(zip, { lazyEntries: true });
  const files: ZippedFile[] = [];
  for await (const entry of archive.eachEntry()) {
    const bytes = await buffer(await archive.openReadStreamPromise(entry));
    if (crc32(bytes) !== entry.crc32) throw new Error(`${entry.fileName} has a wrong CRC`);
    files.push({ path: entry.fileName, bytes, isCompressed: entry.compressionMethod === 8 });
  }
  return files;
}

/** The text of each file by its path; JSON is parsed. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into documents of any shape
export async function documentsIn(zip: Buffer): Promise<Readonly<Record<string, any>>> {
  return Object.fromEntries(
    (await readZip(zip)).map(({ path, bytes }) => [
      path,
      path.endsWith('.json') ? (JSON.parse(bytes.toString()) as unknown) : bytes.toString(),
    ]),
  );
}

import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { DomainError } from '#kernel';

/** Files of the disk store that are read or changed at the same time. */
export const FILES_AT_ONCE = 16;

/** Bytes written between two flushes, so that the last flush of a large file is a short one. */
const FLUSH_BYTES = 32 * 1024 * 1024;

/**
 * Writes a new file that survives a power cut once this returns; a failed write leaves no file.
 *
 * @returns the number of bytes
 * @throws DomainError `too_large` for more than `maxBytes`; what `chunks` throws
 */
export async function writeDurably(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes = Infinity,
): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    const size = await writeAll(file, chunks, maxBytes);
    await file.sync();
    await file.close();
    return size;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

async function writeAll(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<number> {
  let size = 0;
  let unflushed = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new DomainError('too_large', `at most ${maxBytes} bytes can be sent`);
    await file.writeFile(chunk);
    unflushed += chunk.length;
    if (unflushed < FLUSH_BYTES) continue;
    await file.datasync();
    unflushed = 0;
  }
  return size;
}

/** Copies a file so that the copy survives a power cut; a failed copy leaves no file. Returns the number of bytes. */
export async function copyDurably(source: string, target: string): Promise<number> {
  try {
    await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await using copy = await open(target, 'r+');
    await copy.sync();
    return (await copy.stat()).size;
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}

/** Error codes of `link` after which a copy may succeed: another file system, no support for links, too many links. */
const NO_LINK = ['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'];

/** Makes a hard link to a file that never changes, or a copy if links are not possible. */
export async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    if (!NO_LINK.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await copyDurably(source, target);
  }
}

/** Makes renames, links and removals in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** The result of `work`, or `null` if its file or folder does not exist. */
export async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT') return null;
    throw error;
  }
}

/** The result of `work`; failures of the disk (full, read-only, broken, gone) become DomainError `unavailable`. */
export async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isSystemError = typeof (error as NodeJS.ErrnoException | null)?.syscall === 'string';
    if (!isSystemError) throw error;
    throw new DomainError('unavailable', 'the object storage does not work now; try again', { cause: error });
  }
}

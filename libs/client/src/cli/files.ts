import { stat } from 'node:fs/promises';
import type { LibraryItemDto, UploadedFile } from '../index.ts';
import type { X12 } from '../x12.ts';
import type { Call } from './command.ts';
import { UsageError } from './failures.ts';
import { readSecret } from './prompt.ts';
import type { Session } from './session.ts';

const HOURS = { h: 1, d: 24 };
const HOUR_MS = 3_600_000;
/** Entries of a page at most. */
const MAX_PAGE = 200;

export async function upload(
  session: Session,
  { args: paths, options }: Call<{ readonly persona?: number; readonly temporary?: boolean }>,
): Promise<void> {
  const { persona: personaId, temporary } = options;
  const x12 = await session.client();
  const files: UploadedFile[] = [];
  for (const path of paths) {
    if (!(await stat(path)).isFile()) throw new UsageError(`${path} is not a file`);
    const onProgress = ({ sent, total }: { readonly sent: number; readonly total: number }) =>
      session.progress(`${path} ${Math.floor((sent / Math.max(total, 1)) * 100)} %`);
    const file = await x12.upload(path, { personaId, temporary, onProgress, signal: session.signal });
    files.push(file);
    if (!session.isJson) session.print(file, [[file.url]]);
  }
  if (session.isJson) session.print(files, []);
}

export async function find(
  session: Session,
  { args: words, options: { limit = 50 } }: Call<{ readonly limit?: number }>,
): Promise<void> {
  const x12 = await session.client();
  const items: LibraryItemDto[] = [];
  for await (const item of x12.library.list(
    { q: words.join(' '), limit: Math.min(limit, MAX_PAGE) },
    { signal: session.signal },
  )) {
    if (items.push(item) === limit) break;
  }
  session.print(
    items,
    items.map(({ file_id, kind, name, url }) => [file_id, kind, name, url]),
  );
}

interface Share {
  readonly name?: string;
  readonly 'password-stdin'?: boolean;
  readonly expires?: string;
}

export async function share(session: Session, { args, options }: Call<Share>): Promise<void> {
  const { signal } = session;
  const { name = 'Shared' } = options;
  const expires_at = options.expires && timeOf(options.expires, Date.now());
  const password = options['password-stdin'] ? await readSecret('Password', signal) : undefined;
  if (password === '') throw new UsageError('standard input has no password');
  const x12 = await session.client();
  const { urls } = await x12.files.sign({ file_ids: args.map(Number) }, { signal });
  const { board } = await x12.boards.create({ name }, { signal });
  try {
    const media_ids = await mediaOf(x12, board.id, urls, signal);
    const { share: made } = await x12.shares.create({ name, password, expires_at, media_ids }, { signal });
    session.print(made, [[made.url]]);
  } catch (error) {
    await x12.boards.delete({ id: board.id }).catch(() => {});
    throw error;
  }
}

/** Puts files on a board, the last one first: the newest item of a board is its first. */
async function mediaOf(
  x12: X12,
  board_id: number,
  files: readonly { readonly url: string }[],
  signal: AbortSignal,
): Promise<number[]> {
  const ids: number[] = [];
  for (const { url } of files.toReversed()) {
    const { media } = await x12.boards.media.create({ board_id, url }, { signal });
    ids.unshift(media.id);
  }
  return ids;
}

/** The time of `12h` or `7d` from now; other texts are for the service to read. */
export function timeOf(text: string, now: number): string {
  const [, number, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  if (number === undefined) return text;
  return new Date(now + Number(number) * HOURS[unit as keyof typeof HOURS] * HOUR_MS).toISOString();
}

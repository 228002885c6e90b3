import { openFile } from '#open-file';
import type { FinalizedUploadResponse, UploadResponse } from './generated/index.ts';
import type { Uploads } from './generated/operations.gen.ts';
import { sendBytes, type SendOptions, type Shipment } from './send-bytes.ts';
import { X12Error } from './x12-error.ts';

/** A file of a form or a drop, bytes in memory, a stream (read into memory first), or on Node the path of a file. */
export type UploadSource = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | string;

export interface UploadOptions {
  /** Name with the extension of its type. Default: the name of the file. */
  readonly filename?: string;
  /** The persona that the file is added to. Default: the caller's first. */
  readonly personaId?: number;
  /** True if the file is deleted after some hours. */
  readonly temporary?: boolean;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly signal?: AbortSignal;
  /** An empty object that the caller keeps and passes again after a failure, so that sent parts are not sent again. */
  readonly state?: UploadState;
  /** Within a day, an upload with the same key and name is the same one, also in a program that starts again. */
  readonly idempotencyKey?: string;
}

export interface UploadProgress {
  /** Bytes. */
  readonly sent: number;
  readonly total: number;
}

/** Contains signed URLs: keep it only in memory. */
export interface UploadState {
  ticket?: UploadResponse;
  /** Indexes of the parts that the storage has. */
  sent?: number[];
}

export type UploadedFile = FinalizedUploadResponse;

/** A file to allocate an upload for: `upload` continues with its `state`. */
export interface FileToAllocate extends Pick<UploadOptions, 'filename' | 'personaId' | 'temporary'> {
  readonly source: Blob;
  readonly state: UploadState;
}

type Sender = Pick<SendOptions, 'fetch' | 'maxRetries'>;

const MIB = 2 ** 20;
/** Maximum size of a file that is sent whole; larger files are sent in parts. */
const WHOLE_UP_TO = 16 * MIB;
const MIN_PART = 8 * MIB;
const MAX_PARTS = 1000;
const AT_ONCE = 4;
const TEMPORARY = 'x12tmp-';

/** Allocates an upload, sends the bytes and finalizes it. */
export async function upload(
  uploads: Uploads,
  source: UploadSource,
  options: UploadOptions,
  sender: Sender,
): Promise<UploadedFile> {
  const { state = {}, signal, idempotencyKey } = options;
  const { blob, name } = await blobOf(source);
  const filename = nameOf(options.filename ?? name, options.temporary);
  if (!state.ticket || Date.parse(state.ticket.expires_at) <= Date.now()) {
    const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    state.ticket = await uploads.create(requestOf(filename, blob, options), { signal, headers });
    state.sent = [];
  }
  const finalize = async (url: string): Promise<UploadedFile> => {
    const { status: _, ...file } = await uploads.finalize({ url }, { signal });
    return file;
  };
  try {
    const { final_url } = state.ticket;
    const earlier = idempotencyKey === undefined ? null : await finalize(final_url).catch(unlessUploaded);
    if (earlier) return earlier;
    await sendParts(blob, state as Required<UploadState>, options, sender);
    return await finalize(final_url);
  } catch (error) {
    // A refused upload can't be continued.
    if (error instanceof X12Error && error.status >= 400 && error.status < 500) delete state.ticket;
    throw error;
  }
}

/** @returns null for an upload without its bytes */
function unlessUploaded(error: unknown): null {
  if (error instanceof X12Error && error.code === 'not_uploaded') return null;
  throw error;
}

/** Allocates uploads for all files in one call, or for none if one is refused. */
export async function allocateAll(uploads: Uploads, files: readonly FileToAllocate[], signal?: AbortSignal) {
  const requests = files.map(({ source, filename = (source as { name?: string }).name, ...options }) =>
    requestOf(nameOf(filename, options.temporary), source, options),
  );
  const { uploads: tickets } = await uploads.createMany({ files: requests }, { signal });
  for (const [index, ticket] of tickets.entries()) {
    Object.assign(files[index]!.state, { ticket, sent: [] } satisfies UploadState);
  }
}

function requestOf(filename: string, { size }: Blob, { personaId }: Pick<UploadOptions, 'personaId'>) {
  const parts = partsOf(size);
  return { filename, pid: personaId, ...(parts > 1 ? { parts } : {}) };
}

async function blobOf(source: UploadSource): Promise<{ blob: Blob; name?: string }> {
  if (typeof source === 'string') return openFile(source);
  if (source instanceof Blob) return { blob: source, name: (source as { name?: string }).name };
  if (source instanceof Uint8Array) return { blob: new Blob([source]) };
  return { blob: await new Response(source).blob() };
}

function nameOf(name: string | undefined, temporary = false): string {
  if (!name) throw new TypeError('give a filename with the extension of the type, such as `photo.jpg`');
  return temporary && !name.startsWith(TEMPORARY) ? TEMPORARY + name : name;
}

function partsOf(size: number): number {
  return size <= WHOLE_UP_TO ? 1 : Math.ceil(size / partSize(size));
}

function partSize(size: number): number {
  return Math.max(MIN_PART, Math.ceil(size / MAX_PARTS));
}

/** Sends the missing parts, several at once. The first failure stops all. */
async function sendParts(
  blob: Blob,
  state: Required<UploadState>,
  { onProgress, signal }: UploadOptions,
  sender: Sender,
): Promise<void> {
  const shipments = shipmentsOf(blob, state.ticket);
  const sentOf = shipments.map(({ bytes }, part) => (state.sent.includes(part) ? bytes.size : 0));
  const report = () => onProgress?.({ sent: sentOf.reduce((sum, bytes) => sum + bytes, 0), total: blob.size });
  const failed = new AbortController();
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const queue = shipments.map((_, part) => part).filter((part) => !state.sent.includes(part));
  report();
  const sendNext = async (): Promise<void> => {
    for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
      const current = part;
      const onSent = (bytes: number) => {
        sentOf[current] = bytes;
        report();
      };
      await sendBytes(shipments[current]!, { ...sender, signal: stop, onSent });
      state.sent.push(current);
    }
  };
  const senders = Array.from({ length: AT_ONCE }, () =>
    sendNext().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(senders);
  await Promise.all(senders);
}

function shipmentsOf(blob: Blob, { signed_url, parts, headers }: UploadResponse): Shipment[] {
  const common = headers as Record<string, string>;
  if (signed_url !== null) return [{ url: signed_url, headers: common, bytes: blob }];
  const size = partSize(blob.size);
  return parts!.map(({ signed_url: url }, at) => ({
    url,
    headers: common,
    bytes: blob.slice(at * size, (at + 1) * size),
  }));
}

import { sleep } from './sleep.ts';
import { abortErrorOf, throwIfAborted, X12Error } from './x12-error.ts';

/** Bytes and the signed URL to send them to. */
export interface Shipment {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Blob;
}

export interface SendOptions {
  readonly fetch?: typeof globalThis.fetch;
  readonly maxRetries?: number;
  readonly signal?: AbortSignal;
  /** Called with the number of sent bytes, which decreases when they are sent again. */
  readonly onSent?: (bytes: number) => void;
}

const FIRST_DELAY_MS = 1000;
const REPEATED = [408, 429, 500, 502, 503, 504];

/** PUTs bytes, with retries after network errors and failures of the storage. */
export async function sendBytes(shipment: Shipment, options: SendOptions): Promise<void> {
  const { maxRetries = 2, signal, onSent } = options;
  for (let attempt = 0; ; attempt++) {
    const status = await put(shipment, options);
    if (status >= 200 && status < 300) return onSent?.(shipment.bytes.size);
    const mayRepeat = status === 0 || REPEATED.includes(status);
    if (!mayRepeat || attempt >= maxRetries) throw refusal(status);
    onSent?.(0);
    await sleep(FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random() / 2), signal);
  }
}

/** @returns the HTTP status, or 0 without a response */
function put(shipment: Shipment, options: SendOptions): Promise<number> {
  // Only XMLHttpRequest reports the progress of a request body.
  const Xhr = (globalThis as { XMLHttpRequest?: new () => Xhr }).XMLHttpRequest;
  return Xhr && !options.fetch ? putByXhr(new Xhr(), shipment, options) : putByFetch(shipment, options);
}

async function putByFetch({ url, headers, bytes }: Shipment, options: SendOptions): Promise<number> {
  const { fetch: send = globalThis.fetch, signal } = options;
  try {
    const response = await send(url, { method: 'PUT', headers, body: bytes, credentials: 'omit', signal });
    await response.body?.cancel();
    return response.status;
  } catch {
    throwIfAborted(signal);
    return 0;
  }
}

/** The used part of XMLHttpRequest, for which Node has no types. */
interface Xhr {
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null };
  readonly status: number;
  onloadend: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: Blob): void;
  abort(): void;
}

function putByXhr(xhr: Xhr, { url, headers, bytes }: Shipment, { signal, onSent }: SendOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    throwIfAborted(signal);
    const abort = () => xhr.abort();
    signal?.addEventListener('abort', abort);
    xhr.upload.onprogress = ({ loaded }) => onSent?.(loaded);
    xhr.onloadend = () => {
      signal?.removeEventListener('abort', abort);
      if (signal?.aborted) reject(abortErrorOf(signal));
      else resolve(xhr.status);
    };
    xhr.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.send(bytes);
  });
}

function refusal(status: number): X12Error {
  return status === 0
    ? new X12Error('network_error', 'the storage cannot be reached: check the network, then upload again')
    : new X12Error('unexpected_response', `the storage refused the bytes with ${status}: upload the file again`, {
        status,
      });
}

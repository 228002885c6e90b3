import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, buildConnector } from 'undici';
import { SourceFailure } from '#sources';
import { guardedConnectorWithin, realNetwork, type Network } from './guarded-connector.ts';
import { withoutLongTexts } from './long-texts.ts';
import { SafeHttp } from './safe-http.ts';
import { SafeRemoteSources, TEMPORARY } from './safe-remote-sources.ts';
import { OPEN_PORTS, TargetPolicy } from './target-policy.ts';

export interface VendorFetchOptions {
  /** The host and port of this URL are allowed, even if private. */
  readonly baseUrl: string;
  /** Further `host:port` pairs that the operator allows. */
  readonly allowedHosts: readonly string[];
  /** Limits a call, from resolving the name to the last byte of the response. */
  readonly timeoutSeconds: number;
  /** Maximum size of a response body; downloads have their own limit. */
  readonly maxBytes: number;
  /** Maximum wait for the next byte of a download (default 20). */
  readonly stallSeconds?: number;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Replaces the limit of the vendor. */
  readonly timeoutSeconds?: number;
  /** Longer strings in a JSON response are read as empty and not counted in its size (default: no limit). */
  readonly maxTextBytes?: number;
}

export interface DownloadOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Sent only to the origin of the base URL. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface VendorSocket {
  /** Text messages come as a string. */
  onMessage(listener: (data: unknown) => void): void;
  close(): void;
}

/** A response with a status other than 2xx. */
export interface VendorResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The whole text; it may contain parts of the request. */
  readonly body: string;
  /** `null` when the response has no such header. */
  readonly retryAfterSeconds: number | null;
}

/**
 * Why a call failed:
 * - `not_sent`: no byte of the request has left this machine;
 * - `no_response`: the request may have arrived, but the connection broke or timed out;
 * - `too_large`: the response exceeds its limit;
 * - `refused`: the response has a status other than 2xx.
 *
 * The message contains neither the address nor parts of the request.
 */
export class VendorCallFailed extends Error {
  override readonly name = 'VendorCallFailed';

  constructor(
    readonly outcome: 'not_sent' | 'no_response' | 'too_large' | 'refused',
    readonly response: VendorResponse | null,
    reason: string,
  ) {
    super(`the call to the vendor failed: ${reason}`);
  }
}

/** Used by no vendor, and retried by no SDK. */
const FINAL_STATUS = 460;
const RETRIED_BY_SDKS = [408, 409, 425, 429];
const WITHOUT_BODY = [204, 205, 304];
const CONNECT_SECONDS = 10;
const STALL_SECONDS = 20;
/** No generation takes longer: the signal of a download ends it earlier. */
const DOWNLOAD_SECONDS = 86_400;
/** A key that is refused may be mended: the output is not gone. */
const WITH_KEY = { temporary: [...TEMPORARY, 401, 403] };
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * HTTP to one vendor, with its SDK or without. Each request is sent once: SDKs get a status that they do not retry.
 * Connections are checked like those of `SafeHttp`, redirects are not followed, and proxy variables are ignored. Only
 * GETs reuse connections: if the vendor closed an idle connection at that moment, it would be unknown whether a POST has
 * arrived.
 */
export class VendorFetch {
  readonly #policy: TargetPolicy;
  readonly #base: string;
  readonly #downloads: SafeHttp;
  readonly #sources: SafeRemoteSources;
  #agents: Promise<{ kept: Agent; single: Agent }> | null = null;

  constructor(
    private readonly options: VendorFetchOptions,
    private readonly network: Network = realNetwork,
  ) {
    const base = new URL(options.baseUrl);
    this.#base = base.origin;
    const allowedHosts = [...options.allowedHosts, `${base.hostname}:${base.port || (isSecure(base) ? '443' : '80')}`];
    this.#policy = new TargetPolicy(allowedHosts, OPEN_PORTS);
    const { stallSeconds = STALL_SECONDS } = options;
    const limits = { allowedHosts, stallSeconds, timeoutSeconds: DOWNLOAD_SECONDS, keepSeconds: 4 };
    this.#downloads = new SafeHttp(limits, network);
    this.#sources = new SafeRemoteSources(this.#downloads);
  }

  /**
   * Runs `work` with a `fetch` for this call alone. The `fetch` never throws: a failed request returns a status that SDKs
   * don't retry.
   *
   * @throws VendorCallFailed when `work` throws after a request that failed; the signal's reason when it is aborted;
   * otherwise what `work` throws
   */
  async call<T>(work: (fetch: typeof globalThis.fetch) => Promise<T>, options: CallOptions): Promise<T> {
    const { signal, timeoutSeconds = this.options.timeoutSeconds, maxTextBytes = Infinity } = options;
    signal.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutSeconds * 1_000);
    const ending = AbortSignal.any([deadline.signal, signal]);
    let failure: VendorCallFailed | null = null;
    try {
      return await work(async (input, init) => {
        failure = null;
        const response = await this.#send(new Request(input, init), ending, maxTextBytes).catch((error: unknown) => {
          failure = failureOf(error, deadline.signal.aborted);
          return new Response(null, { status: FINAL_STATUS });
        });
        if (response.ok || failure) return response;
        const { status, headers } = response;
        const body = await response.text();
        const refusal = { status, headers, body, retryAfterSeconds: retryAfter(headers) };
        failure = new VendorCallFailed('refused', refusal, `status ${status}`);
        const isRetried = status >= 500 || RETRIED_BY_SDKS.includes(status);
        return new Response(withBody(status, body), {
          status: isRetried ? FINAL_STATUS : status,
          // Without headers that ask an SDK to retry.
          headers: { 'content-type': headers.get('content-type') ?? 'text/plain' },
        });
      });
    } catch (error) {
      signal.throwIfAborted();
      throw failure ?? error;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Sends one request, without an SDK.
   *
   * @throws VendorCallFailed when the vendor does not respond with success; the signal's reason when it is aborted
   */
  request(url: string, init: RequestInit, options: CallOptions): Promise<Response> {
    return this.call(async (fetch) => {
      const response = await fetch(url, init);
      if (!response.ok) throw new Error('not successful');
      return response;
    }, options);
  }

  /**
   * Fetches an output into the file `target`; follows up to three redirects. Only the signal limits the total time.
   *
   * @throws SourceFailure `url_blocked`, `url_unreachable`, `url_too_large`, `url_timeout`; the signal's reason
   */
  async download(url: string, target: string, { headers, ...limits }: DownloadOptions): Promise<void> {
    const isOwn = URL.parse(url)?.origin === this.#base;
    await this.#sources.fetchToFile(url, target, {
      ...limits,
      ...(isOwn && headers && WITH_KEY),
      ...(isOwn && { headers }),
    });
  }

  /**
   * Opens a WebSocket, to the same addresses as a request. A larger message than 4 MB closes it.
   *
   * @param url with http or https
   * @throws SourceFailure `url_blocked`; Error when it can't be opened in the time of a call
   */
  async socket(url: string, headers: Readonly<Record<string, string>>): Promise<VendorSocket> {
    const { href } = this.#policy.check(url);
    const { kept } = await (this.#agents ??= this.#connect());
    const { WebSocket } = await import('undici');
    const socket = new WebSocket(href.replace(/^http/, 'ws'), { dispatcher: kept, headers });
    await new Promise((resolve, reject) => {
      const timer = setTimeout(reject, this.options.timeoutSeconds * 1_000, new Error('no WebSocket in time'));
      socket.onopen = resolve;
      socket.onclose = () => reject(new Error('the WebSocket was refused'));
      socket.addEventListener('open', () => clearTimeout(timer));
      socket.addEventListener('close', () => clearTimeout(timer));
    }).catch((error: unknown) => {
      socket.close();
      throw error;
    });
    return {
      onMessage: (listener) => socket.addEventListener('message', ({ data }) => listener(data)),
      close: () => socket.close(),
    };
  }

  async close(): Promise<void> {
    const agents = await this.#agents;
    await Promise.all([agents?.kept.destroy(), agents?.single.destroy(), this.#downloads.close()]);
  }

  async #send(request: Request, ending: AbortSignal, maxTextBytes: number): Promise<Response> {
    const target = this.#policy.check(request.url);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { kept, single } = await (this.#agents ??= this.#connect());
    const response = await (isRead ? kept : single).request({
      origin: target.origin,
      path: target.pathname + target.search,
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' },
      body: request.body ? Buffer.from(await request.arrayBuffer()) : null,
      signal: AbortSignal.any([ending, request.signal]),
      reset: !isRead,
    });
    const status = response.statusCode;
    const received = maxTextBytes < Infinity ? withoutLongTexts(response.body, maxTextBytes) : response.body;
    const body = await readAll(received, this.options.maxBytes);
    return new Response(withBody(status, body), { status, headers: headersOf(response.headers) });
  }

  async #connect(): Promise<{ kept: Agent; single: Agent }> {
    // Loaded on first use: it takes 25 MB, and not every process calls a vendor.
    const { Agent } = await import('undici');
    const options = {
      connect: this.#connector(),
      maxHeaderSize: MAX_HEADER_BYTES,
      webSocket: { maxPayloadSize: MAX_MESSAGE_BYTES },
      // The call limits the total time.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    return { kept: new Agent(options), single: new Agent(options) };
  }

  /** Times out before the call, so that a call without a connection is known as not sent. */
  #connector(): buildConnector.connector {
    const seconds = Math.min(CONNECT_SECONDS, this.options.timeoutSeconds / 2);
    const connect = guardedConnectorWithin(seconds, this.#policy, this.network);
    return (target, callback) =>
      connect(target, (error, socket) => {
        if (error) callback(new NotConnected(isAbort(error) ? 'no connection in time' : codeOf(error)), null);
        else callback(null, socket);
      });
  }
}

class NotConnected extends Error {}
class TooLarge extends Error {}

function failureOf(error: unknown, isLate: boolean): VendorCallFailed {
  if (error instanceof NotConnected) return new VendorCallFailed('not_sent', null, error.message);
  if (error instanceof SourceFailure) return new VendorCallFailed('not_sent', null, error.code);
  if (error instanceof TooLarge) return new VendorCallFailed('too_large', null, error.message);
  return new VendorCallFailed('no_response', null, isLate ? 'no response in time' : codeOf(error));
}

function isAbort({ name }: Error): boolean {
  return name === 'AbortError';
}

/** The part of a network error that is safe to show: its message may contain addresses. */
function codeOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name;
}

async function readAll(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLarge('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function withBody<T>(status: number, body: T): T | null {
  return WITHOUT_BODY.includes(status) ? null : body;
}

function headersOf(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received)) {
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  return headers;
}

/** Seconds, or a date. */
function retryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim();
  if (!text) return null;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

function isSecure({ protocol }: URL): boolean {
  return protocol === 'https:';
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import { SourceFailure } from '#sources';
import { abortOf, guardedConnector, guardedConnectorWithin, realNetwork, type Network } from './guarded-connector.ts';
import { OPEN_PORTS, TargetPolicy } from './target-policy.ts';

export interface SafeHttpOptions {
  /** `host:port` pairs that the operator allows; see `TargetPolicy`. */
  readonly allowedHosts: readonly string[];
  /** Limits the whole exchange: from resolving the name to the last byte of the last response. */
  readonly timeoutSeconds: number;
  /** Maximum wait for the next byte of the response (default: none). */
  readonly stallSeconds?: number;
  /** The ports allowed on every host (default 80 and 443). */
  readonly ports?: readonly number[];
  /**
   * Idle connections are kept open for at most so long (default: not at all), for hosts that are called often. Each
   * connection was checked when it was opened. A host may close it at any time: a POST on it then fails, though it may
   * have arrived.
   */
  readonly keepSeconds?: number;
}

export interface SafeRequest {
  readonly method: 'GET' | 'POST';
  /** Not sent to another origin after a redirect. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum size of the response body. */
  readonly maxBytes: number;
  /** A shorter limit for this exchange. */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

export interface SafeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as received: content encodings are not decoded. Fails with SourceFailure. */
  readonly body: AsyncIterable<Buffer>;
}

const CONNECT_SECONDS = 10;
const MAX_REDIRECTS = 3;
const MAX_HEADER_BYTES = 16 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * The only HTTP client for untrusted addresses. Requests the URLs that `TargetPolicy` allows, with limits of size and
 * time. Ignores proxy variables.
 */
export class SafeHttp {
  readonly #policy: TargetPolicy;
  readonly #timeoutSeconds: number;
  readonly #stallMs: number;
  readonly #keepMs: number;
  #kept: Agent | undefined;

  constructor(
    options: SafeHttpOptions,
    private readonly network: Network = realNetwork,
  ) {
    this.#policy = new TargetPolicy(options.allowedHosts, options.ports ?? OPEN_PORTS);
    this.#timeoutSeconds = options.timeoutSeconds;
    this.#stallMs = (options.stallSeconds ?? 0) * 1_000;
    this.#keepMs = (options.keepSeconds ?? 0) * 1_000;
  }

  /**
   * Sends a request and passes the response to `read`; unread data is dropped. The first three redirects of a GET are
   * followed, each through the same checks; further ones, and those of a POST, are responses.
   *
   * @throws SourceFailure `url_blocked`, `url_unreachable`, `url_too_large`, `url_timeout`; the signal's reason
   * when it is aborted; whatever `read` throws
   */
  async exchange<T>(url: string, options: SafeRequest, read: (response: SafeResponse) => Promise<T>): Promise<T> {
    options.signal?.throwIfAborted();
    const deadline = new AbortController();
    const seconds = Math.min(options.timeoutSeconds ?? Infinity, this.#timeoutSeconds);
    const timer = setTimeout(() => deadline.abort(), seconds * 1_000);
    const signal = AbortSignal.any([deadline.signal, ...(options.signal ? [options.signal] : [])]);
    const agent = await this.#agentFor(signal);
    /** Translates an error of the network. */
    const failure = (error: unknown): unknown => {
      if (options.signal?.aborted) return options.signal.reason;
      if (deadline.signal.aborted || isStalled(error))
        return new SourceFailure('url_timeout', { retryable: true, cause: error });
      if (error instanceof SourceFailure) return error;
      return new SourceFailure('url_unreachable', { retryable: isTemporary(error), cause: error });
    };
    let response: Dispatcher.ResponseData | undefined;
    try {
      const sent = this.#send(url, options, agent, signal);
      response = await Promise.race([sent, abortOf(signal)]).catch((error: unknown) => {
        throw failure(error);
      });
      return await read({
        status: response.statusCode,
        headers: response.headers,
        body: limited(response, options.maxBytes, failure),
      });
    } finally {
      clearTimeout(timer);
      response?.body.destroy();
      // Else the signal would be kept in memory for as long as something listens to it.
      deadline.abort(null);
      if (agent !== this.#kept) await agent.destroy();
    }
  }

  /** Closes the connections that are kept. */
  async close(): Promise<void> {
    await this.#kept?.destroy();
  }

  async #agentFor(signal: AbortSignal): Promise<Agent> {
    // Loaded on first use: it takes 25 MB, and not every process fetches.
    const { Agent } = await import('undici');
    const { network } = this;
    // 0 means no limit.
    const options = { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: this.#stallMs, bodyTimeout: this.#stallMs };
    if (this.#keepMs === 0) {
      return new Agent({ ...options, connect: guardedConnector(this.#policy, network, signal) });
    }
    const seconds = Math.min(CONNECT_SECONDS, this.#timeoutSeconds);
    const connect = guardedConnectorWithin(seconds, this.#policy, network);
    const kept = { keepAliveTimeout: this.#keepMs, keepAliveMaxTimeout: this.#keepMs };
    return (this.#kept ??= new Agent({ ...options, ...kept, connect }));
  }

  async #send(
    url: string,
    { method, headers, body }: SafeRequest,
    agent: Agent,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    let target = this.#policy.check(url);
    const { origin } = target;
    for (let redirects = 0; ; redirects++) {
      const response = await agent.request({
        origin: target.origin,
        path: target.pathname + target.search,
        method,
        headers: { 'accept-encoding': 'identity', 'user-agent': 'x12', ...(target.origin === origin && headers) },
        body,
        signal,
        reset: this.#keepMs === 0,
      });
      // The stream may be destroyed unread, which must not be an unhandled error.
      response.body.on('error', () => {});
      const location = response.headers.location;
      const isRedirect = REDIRECTS.includes(response.statusCode) && typeof location === 'string';
      if (!isRedirect || method !== 'GET' || redirects === MAX_REDIRECTS) return response;
      response.body.destroy();
      target = this.#policy.check(location, target);
    }
  }
}

async function* limited(
  { headers, body }: Dispatcher.ResponseData,
  maxBytes: number,
  failure: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  const tooLarge = new SourceFailure('url_too_large', { retryable: false });
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge;
      yield chunk;
    }
  } catch (error) {
    throw failure(error);
  }
}

function isStalled(error: unknown): boolean {
  return STALLED.includes((error as NodeJS.ErrnoException | null)?.code ?? '');
}

/** Errors of undici when no byte of the headers or of the body has come in time. */
const STALLED = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** Errors for names without an address. */
const UNKNOWN_NAME = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/**
 * Reports whether a retry may succeed. Closed ports, silent ports and ports without HTTP are treated alike, so that
 * the number of attempts reveals nothing about a port.
 */
function isTemporary(error: unknown): boolean {
  return !UNKNOWN_NAME.includes((error as NodeJS.ErrnoException | null)?.code ?? '');
}

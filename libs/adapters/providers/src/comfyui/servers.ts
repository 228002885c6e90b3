import type { Model, ModelKind, ProviderSettings } from '#catalogue';
import {
  NotAccepted,
  ProviderFailure,
  type Found,
  type ProviderHealth,
  type RemoteProvider,
  type RemoteTask,
  type SubmittedTask,
  type SubmitOptions,
  type SubmitResult,
  type VendorHandle,
  type VendorOutput,
  type VendorState,
} from '#generation';
import { PartlyDown, providerFailure } from '../remote/failures.ts';
import { vendorFetch, type RemoteLimits } from '../remote/vendor.ts';
import { ComfyUiProvider, MAX_RESPONSE_BYTES } from './comfyui-provider.ts';

export function createComfyUi(settings: ProviderSettings, limits: RemoteLimits): RemoteProvider {
  const { id, baseUrl, baseUrls } = settings;
  if (baseUrl === null) throw new Error(`the provider ${id} needs a base_url`);
  const urls = new Set((baseUrls ?? [baseUrl]).map((url) => url.replace(/\/+$/, '')));
  const servers = [...urls].map((url) => {
    return new ComfyUiProvider(settings, url, vendorFetch(url, limits, { maxBytes: MAX_RESPONSE_BYTES }), limits);
  });
  return servers.length === 1 ? servers[0]! : new ComfyUiServers(id, servers);
}

interface Server {
  readonly comfyUi: ComfyUiProvider;
  /** The submissions that this process is sending to it. */
  sending: number;
  /** All submissions that this process has sent to it. */
  sent: number;
  /** Until then it is not called. */
  downUntil: number;
}

/** How long a server that can't be reached is not called. */
const DOWN_MS = 10_000;

/**
 * Several ComfyUI servers as one provider. A submission goes to the server with the shortest queue among those that can be
 * reached, and its job stays there: the handle has the URL of the server. A job counts as absent only if every server
 * says so, so a job of a server that is down is never started elsewhere.
 */
export class ComfyUiServers implements RemoteProvider {
  readonly hasWebhooks = false;
  /** Files stay until the operator deletes them. */
  readonly keepsOutputsSeconds = 86_400;
  readonly #servers: readonly Server[];

  constructor(
    readonly id: string,
    servers: readonly ComfyUiProvider[],
    private readonly now: () => number = Date.now,
  ) {
    this.#servers = servers.map((comfyUi) => ({ comfyUi, sending: 0, sent: 0, downUntil: 0 }));
  }

  async submit(task: RemoteTask, options: SubmitOptions): Promise<SubmitResult> {
    const server = await this.#leastLoaded(options.signal);
    server.sending++;
    server.sent++;
    try {
      const result = await server.comfyUi.submit(task, options);
      return 'handle' in result ? { handle: at(server, result.handle) } : result;
    } catch (error) {
      if (error instanceof NotAccepted && error.code === 'provider_unavailable' && !error.wasSent) this.#skip(server);
      throw error;
    } finally {
      server.sending--;
    }
  }

  async find(task: SubmittedTask, since: Date, signal: AbortSignal): Promise<Found> {
    const found = await this.#askAll((comfyUi) => comfyUi.find(task, since, signal), signal);
    for (const { server, result } of found) {
      if (typeof result === 'object') return { handle: at(server, result.handle) };
    }
    const missing = found.find(({ error }) => error !== undefined);
    if (missing) throw missing.error;
    return found.some(({ result }) => result === 'unknown') ? 'unknown' : 'absent';
  }

  async check(handle: VendorHandle, signal: AbortSignal): Promise<VendorState> {
    const server = this.#serverOf(handle);
    if (server === 'removed') throw partlyDown(new Error('the server of the job is no longer in the catalogue'));
    if (server) return this.#ask(server, (comfyUi) => comfyUi.check(handle, signal));
    const states = await this.#askAll((comfyUi) => comfyUi.check(handle, signal), signal);
    const known = states.find(({ result }) => result && result.state !== 'inconclusive');
    const { result, error } = known ?? states.find((each) => each.error !== undefined) ?? states[0]!;
    if (!result) throw error;
    return result;
  }

  async cancel(handle: VendorHandle, signal: AbortSignal): Promise<'canceled' | 'too_late' | 'unsupported'> {
    const server = this.#serverOf(handle);
    if (server === 'removed') return 'unsupported';
    if (server) return this.#ask(server, (comfyUi) => comfyUi.cancel(handle, signal));
    const results = await this.#askAll((comfyUi) => comfyUi.cancel(handle, signal), signal);
    if (results.some(({ result }) => result === 'canceled')) return 'canceled';
    const missing = results.find(({ error }) => error !== undefined);
    if (missing) throw missing.error;
    return results[0]!.result!;
  }

  fetchOutput(output: VendorOutput, target: string, kind: ModelKind, signal: AbortSignal): Promise<void> {
    const server = this.#servers.find(({ comfyUi }) => output.url.startsWith(`${comfyUi.baseUrl}/`));
    return (server ?? this.#servers[0]!).comfyUi.fetchOutput(output, target, kind, signal);
  }

  isAuthentic(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** The provider is healthy if every server is. The remedy names the servers that are not. */
  async health(model: Model | null, signal: AbortSignal): Promise<ProviderHealth> {
    const all = await Promise.all(
      this.#servers.map(async ({ comfyUi }) => ({ url: comfyUi.baseUrl, ...(await comfyUi.health(model, signal)) })),
    );
    const remedies = all.flatMap(({ url, remedy }) => (remedy === null ? [] : [`${url}: ${remedy}`]));
    return {
      isReachable: all.every(({ isReachable }) => isReachable),
      isKeyAccepted: ofAll(all.map(({ isKeyAccepted }) => isKeyAccepted)),
      hasTarget: ofAll(all.map(({ hasTarget }) => hasTarget)),
      remedy: remedies.length === 0 ? null : remedies.join('; '),
    };
  }

  /** @throws NotAccepted when no server can be reached; ProviderFailure when all refuse */
  async #leastLoaded(signal: AbortSignal): Promise<Server> {
    const loads = await this.#askAll((comfyUi) => comfyUi.queueLength(signal), signal);
    const [best] = loads
      .flatMap(({ server, result }) => (result === undefined ? [] : [{ server, load: result + server.sending }]))
      .sort((one, other) => one.load - other.load || one.server.sent - other.server.sent);
    if (best) return best.server;
    const refusal = loads.find(({ error }) => !isDown(error))?.error;
    if (refusal instanceof Error) throw refusal;
    throw new NotAccepted('provider_unavailable', null, { cause: new Error('no server can be reached') });
  }

  /** `null` for a job that was submitted when the provider had one server. */
  #serverOf({ server: url }: VendorHandle): Server | 'removed' | null {
    if (url === undefined) return null;
    return this.#servers.find(({ comfyUi }) => comfyUi.baseUrl === url) ?? 'removed';
  }

  async #askAll<T>(call: (comfyUi: ComfyUiProvider) => Promise<T>, signal: AbortSignal) {
    const asked = await Promise.all(
      this.#servers.map((server) =>
        this.#ask(server, call).then(
          (result) => ({ server, result, error: undefined }),
          (error: unknown) => ({ server, result: undefined, error }),
        ),
      ),
    );
    signal.throwIfAborted();
    return asked;
  }

  /** @throws ProviderFailure as the server's calls do; one server that is down does not count against the others */
  async #ask<T>(server: Server, call: (comfyUi: ComfyUiProvider) => Promise<T>): Promise<T> {
    if (this.now() < server.downUntil) throw partlyDown(new Error('the server was down a moment ago'));
    try {
      return await call(server.comfyUi);
    } catch (error) {
      if (!isDown(error)) throw error;
      this.#skip(server);
      throw partlyDown(error);
    }
  }

  #skip(server: Server): void {
    server.downUntil = this.now() + DOWN_MS;
  }
}

function at({ comfyUi }: Server, handle: VendorHandle): VendorHandle {
  return { ...handle, server: comfyUi.baseUrl };
}

function isDown(error: unknown): boolean {
  return error instanceof ProviderFailure && error.code === 'provider_unavailable';
}

function partlyDown(cause: unknown): ProviderFailure {
  return providerFailure('provider_unavailable', { retryable: true, cause: new PartlyDown(cause) });
}

/** `false` if any is, `null` if one is unknown. */
function ofAll(facts: readonly (boolean | null)[]): boolean | null {
  if (facts.includes(false)) return false;
  return facts.includes(null) ? null : true;
}

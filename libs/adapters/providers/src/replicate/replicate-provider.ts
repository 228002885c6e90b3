import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import Replicate, { type Page } from 'replicate';
import { Webhook } from 'standardwebhooks';
import type { VendorFetch } from '#adapters/outgoing-http';
import { vendorFields, type Model, type ModelKind, type ProviderSettings } from '#catalogue';
import {
  NotAccepted,
  ProviderFailure,
  type Found,
  type ProviderHealth,
  type RemoteInput,
  type RemoteProvider,
  type RemoteTask,
  type SubmittedTask,
  type SubmitResult,
  type SubmitOptions,
  type VendorHandle,
  type VendorOutput,
  type VendorState,
} from '#generation';
import { providerFailure } from '../remote/failures.ts';
import { healthOf } from '../remote/health.ts';
import { dataUri, mappedValues, uploadSeconds } from '../remote/inputs.ts';
import { fetchOutput } from '../remote/outputs.ts';
import { clockDifference } from '../remote/recognise.ts';
import { resultOf, resultPartOf } from '../remote/trained-styles.ts';
import { VendorCalls } from '../remote/vendor-calls.ts';
import { vendorFetch, type RemoteFactory, type RemoteLimits } from '../remote/vendor.ts';
import { matchOf } from './match.ts';
import { refusalOf } from './refusals.ts';
import { stateOf, type Job } from './states.ts';
import { targetOf, trainerPathOf, TRAINED_VERSION } from './targets.ts';
import { isWebhookRefused, placeholderWebhook } from './webhook.ts';

const API = 'https://api.replicate.com/v1';
/** The list of predictions repeats data URIs, with 100 inputs on a page. */
const MAX_DATA_URI_BYTES = 4 * 1024;
/** Maximum text in that list: longer than prompts, shorter than pictures sent by other clients. */
const MAX_TEXT_BYTES = 64 * 1024;
/** A hundred predictions with several such texts. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
/** Time limit of a page of that list: longer than the caller's, so that a slow page does not count as a failure. */
const LIST_SECONDS = 60;
/** Maximum pages that a search reads, of 100 predictions each. */
const MAX_PAGES = 20;
/** How far Replicate's clock and ours may differ. */
const CLOCK_SKEW_MS = 60_000;
const SECRET_MS = 10 * 60_000;

/**
 * Replicate. A target is a model `owner/name`, its version `owner/name:version`, the id of a version, or
 * `{style_weights}`, the version that was trained. The target of a trainer is `owner/name:version`; the field
 * `destination` of its mapping is the model of the account that gets the version.
 */
export const createReplicate: RemoteFactory = (settings, limits) => new ReplicateProvider(settings, limits);

class ReplicateProvider implements RemoteProvider {
  readonly id: string;
  readonly hasWebhooks = true;
  /** Docs "Output files": an hour. */
  readonly keepsOutputsSeconds = 3_600;
  readonly #http: VendorFetch;
  readonly #calls: VendorCalls;
  /** True if Replicate has refused the placeholder webhook. */
  #refusesPlaceholder = false;
  #secret: { value: string; until: number } | null = null;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly limits: RemoteLimits,
  ) {
    this.id = settings.id;
    this.#http = vendorFetch(settings.baseUrl ?? API, limits, { maxBytes: MAX_LIST_BYTES });
    this.#calls = new VendorCalls(this.#http, (refusal) => {
      this.#refusesPlaceholder ||= isWebhookRefused(refusal);
      return refusalOf(refusal);
    });
  }

  async submit(task: RemoteTask, options: SubmitOptions): Promise<SubmitResult> {
    const { path, data, headers } = await this.#requestOf(task, options.signal);
    const webhook = this.#webhookOf(task, options);
    const creating = this.#calls.submit(async (fetch) => {
      // The SDK's own methods do not send these headers.
      const response = await this.#sdk(fetch).request(path, {
        method: 'POST',
        headers,
        data: { ...data, ...(webhook && { webhook, webhook_events_filter: ['completed'] }) },
      });
      const made = (await response.json()) as Job;
      if (typeof made.id !== 'string') throw new Error('the response has no id');
      return made;
    }, options);
    const prediction = await creating.catch((error: unknown) => {
      const isForWebhook = this.#refusesPlaceholder && webhook === placeholderWebhook(task.requestKey);
      if (isForWebhook) throw new NotAccepted('provider_unavailable', 0, { cause: error });
      // The version is that of a trained style.
      const isOfStyle = task.model.target === TRAINED_VERSION && error instanceof ProviderFailure;
      throw isOfStyle ? new ProviderFailure(error.code, error.message, { cause: error.cause }) : error;
    });
    return { handle: handleOf(prediction, task.model) };
  }

  /** The request that creates a prediction or a training. */
  async #requestOf(task: RemoteTask, signal: AbortSignal) {
    const { model } = task;
    const values = await mappedValues(task, (input) => this.#deliver(input, signal));
    const fields = vendorFields(model.mapping, values);
    if (model.kind === 'style') {
      const path = trainerPathOf(model.target);
      const { destination, ...input } = fields;
      if (path !== null && destination !== undefined) return { path, data: { destination, input }, headers: {} };
      const cause = new Error('a trainer needs a target owner/name:version, and destination in its mapping');
      throw providerFailure('provider_misconfigured', { cause });
    }
    const target = model.target === TRAINED_VERSION ? String(values['style_weights']) : model.target;
    const { path, version } = targetOf(target);
    const headers = { 'Cancel-After': `${cancelAfterSeconds(model)}s` };
    return { path, data: { ...(version && { version }), input: fields }, headers };
  }

  async find(task: SubmittedTask, since: Date, signal: AbortSignal): Promise<Found> {
    const oldest = since.getTime() - CLOCK_SKEW_MS;
    let isUncertain = false;
    let next: string | undefined = task.model.kind === 'style' ? '/trainings' : '/predictions';
    for (let pages = 0; next && pages < MAX_PAGES; pages++) {
      const { page, ahead } = await this.#page(next, signal);
      for (const prediction of page.results) {
        const createdAt = new Date(Date.parse(prediction.created_at) - ahead);
        if (createdAt.getTime() < oldest) return isUncertain ? 'unknown' : 'absent';
        const match = matchOf(prediction, createdAt, task, since);
        if (match === 'same') return { handle: handleOf(prediction, task.model) };
        if (match === 'possible') isUncertain = true;
      }
      next = page.next;
    }
    return isUncertain || next ? 'unknown' : 'absent';
  }

  async check(handle: VendorHandle, signal: AbortSignal): Promise<VendorState> {
    const prediction = await this.#calls.query<Job | null>(
      (fetch) => this.#jobs(fetch, handle).get(handle.id),
      { signal },
      ({ status }) => (status === 404 ? null : undefined),
    );
    if (prediction) return stateOf(prediction, String(handle.kind), Number(handle.cancelAfter), resultOf(handle));
    const cause = new Error('Replicate does not know the prediction');
    return { state: 'inconclusive', failure: providerFailure('provider_outcome_unknown', { cause }) };
  }

  fetchOutput(output: VendorOutput, target: string, kind: ModelKind, signal: AbortSignal): Promise<void> {
    const headers = { authorization: `Bearer ${this.settings.key}` };
    return fetchOutput(this.#http, output, target, { kind, limits: this.limits, signal, headers });
  }

  async cancel(handle: VendorHandle, signal: AbortSignal): Promise<'canceled' | 'too_late'> {
    const status = await this.#calls.query<string>(
      async (fetch) => (await this.#jobs(fetch, handle).cancel(handle.id)).status,
      { signal },
      (refusal) => (refusal.status === 404 ? 'gone' : undefined),
    );
    return ['succeeded', 'failed', 'gone'].includes(status) ? 'too_late' : 'canceled';
  }

  async isAuthentic(body: Buffer, headers: Readonly<Record<string, string>>): Promise<boolean> {
    // Without a signature, the secret is not requested.
    if (!headers['webhook-signature']) return false;
    try {
      new Webhook(await this.#webhookSecret()).verify(body.toString(), headers, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  }

  health(model: Model | null, signal: AbortSignal): Promise<ProviderHealth> {
    // A version that is still to be trained can't be looked up.
    const target = model && model.target !== TRAINED_VERSION ? model.target : '';
    const { owner, name, version } = targetOf(target);
    return healthOf(model, () =>
      this.#calls.query<boolean | null>(
        async (fetch) => {
          const sdk = this.#sdk(fetch);
          if (owner && name && version) await sdk.models.versions.get(owner, name, version);
          else if (owner && name) await sdk.models.get(owner, name);
          else await sdk.accounts.current();
          return owner && name ? true : null;
        },
        { signal },
        ({ status }) => (status === 404 ? false : undefined),
      ),
    );
  }

  /** The predictions or, for the handle of a training, the trainings. */
  #jobs(fetch: typeof globalThis.fetch, { kind }: VendorHandle) {
    const { predictions, trainings } = this.#sdk(fetch);
    return kind === 'style' ? trainings : predictions;
  }

  #sdk(fetch: typeof globalThis.fetch): Replicate {
    const { key, baseUrl } = this.settings;
    // Without a key, the SDK would read one from the environment.
    return new Replicate({ auth: key ?? 'none', baseUrl: baseUrl ?? API, fetch: fetch as never });
  }

  /** A page of predictions or trainings, and how far Replicate's clock is ahead of ours. */
  #page(path: string, signal: AbortSignal): Promise<{ readonly page: Page<Job>; readonly ahead: number }> {
    return this.#calls.query(
      async (fetch) => {
        const route = path.startsWith('/') ? path : new URL(path);
        const response = await this.#sdk(fetch).request(route, { method: 'GET' });
        return { page: (await response.json()) as Page<Job>, ahead: clockDifference(response.headers) };
      },
      { signal, timeoutSeconds: LIST_SECONDS, maxTextBytes: MAX_TEXT_BYTES },
    );
  }

  /** Sends an input by URL if Replicate can reach it, small pictures in the request, others by the Files API. */
  async #deliver(input: RemoteInput, signal: AbortSignal): Promise<string> {
    if (input.url !== null) return input.url;
    if ((await stat(input.file)).size <= MAX_DATA_URI_BYTES) return dataUri(input);
    const picture = await openAsBlob(input.file, { type: input.contentType });
    const timeoutSeconds = await uploadSeconds(input);
    const { urls } = await this.#calls.prepare((fetch) => this.#sdk(fetch).files.create(picture), {
      signal,
      timeoutSeconds,
    });
    return urls.get;
  }

  /** Replicate refuses a prediction with a webhook that is not https. */
  #webhookOf({ requestKey }: RemoteTask, { webhookUrl }: SubmitOptions): string | null {
    if (webhookUrl && (this.settings.baseUrl !== null || webhookUrl.startsWith('https:'))) return webhookUrl;
    return this.#refusesPlaceholder ? null : placeholderWebhook(requestKey);
  }

  async #webhookSecret(): Promise<string> {
    if (!this.#secret || this.#secret.until < Date.now()) {
      const { signal } = new AbortController();
      const { key } = await this.#calls.query((fetch) => this.#sdk(fetch).webhooks.default.secret.get(), { signal });
      this.#secret = { value: key, until: Date.now() + SECRET_MS };
    }
    return this.#secret.value;
  }
}

/** The kind of the model decides which files are outputs. A training has no `Cancel-After`. */
function handleOf({ id, urls }: Job, model: Model): VendorHandle {
  const { kind } = model;
  const own = kind === 'style' ? resultPartOf(model) : { cancelAfter: cancelAfterSeconds(model) };
  return { id, kind, ...own, urls: { get: urls?.get ?? null, cancel: urls?.cancel ?? null } };
}

/** Replicate's minimum is 5 s. */
function cancelAfterSeconds({ timeLimitSeconds }: Model): number {
  return Math.max(5, timeLimitSeconds);
}

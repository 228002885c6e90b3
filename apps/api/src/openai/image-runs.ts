import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Settings } from '#config';
import { StoredUrls, type ObjectStorage } from '#files';
import { notFound } from '#kernel';
import { objectStorage, settings } from '#wiring';
import { GenerationWaits } from '../generation/generation-waits.ts';
import type { GenerationResponse } from '../generation/generation.dto.ts';
import { type ApiRequest, IDEMPOTENCY_HEADER, OwnOperations } from '../http/index.ts';
import type { ImageCall, ResponseFormat } from './image-calls.ts';
import { base64Of, SlowJson } from './slow-json.ts';

const POLL_MS = 500;
const PROMPT_OF_NAME = 80;
/** Failures that the caller can mend; the others are those of the service and its vendors. */
const OF_CALLER = /^(content_rejected|invalid_input|url_|not_an_image|picture_|.*_too_large)/;

interface Started {
  readonly ids: readonly number[];
  /** Waits, for so many seconds at most. */
  readonly haveEnded: (seconds: number) => Promise<boolean>;
}

/** Runs the calls of OpenAI's image API as generations, and sends their pictures once they have ended. */
@Injectable()
export class ImageRuns {
  readonly #waitMs: number;

  constructor(
    @Inject(OwnOperations) private readonly own: OwnOperations,
    @Inject(GenerationWaits) private readonly waits: GenerationWaits,
    @Inject(StoredUrls) private readonly urls: StoredUrls,
    @Inject(objectStorage) private readonly storage: ObjectStorage,
    @Inject(settings) { http }: Settings,
  ) {
    this.#waitMs = http.imagesWaitSeconds * 1000;
  }

  /**
   * Responds when all have ended, or after the longest wait. A closed connection cancels nothing.
   *
   * @throws DomainError the refusal of the calls, of which none was accepted
   */
  async respond(
    request: ApiRequest,
    response: Response,
    { calls, format }: { readonly calls: readonly ImageCall[]; readonly format: ResponseFormat },
  ): Promise<void> {
    const { ids, haveEnded } = await this.#start(request, response, calls);
    // OpenAI's client repeats a call after 429 and 5xx: without a key it would start and pay another one.
    response.setHeader('x-should-retry', 'false');
    const slow = new SlowJson(response);
    const until = Date.now() + this.#waitMs;
    while (!(await haveEnded((until - Date.now()) / 1000))) {
      if (response.destroyed) return;
      if (Date.now() < until) continue;
      const message = `generation ${ids[0]} is still running: send the request again with its Idempotency-Key to collect it`;
      return slow.fail(504, {
        message,
        type: 'server_error',
        param: null,
        code: 'still_running',
        generation_id: ids[0],
      });
    }
    const ended = await Promise.all(ids.map((id) => this.#read(request, id)));
    const failed = ended.find(({ error, state }) => error !== null || state === 'canceled');
    if (failed && ended.every(({ outputs }) => outputs.length === 0)) return slow.fail(...failureOf(failed));
    await slow.send(200, this.#body(ended, format));
  }

  /** Starts one generation, or a batch of several, whose credits are reserved together. */
  async #start(request: ApiRequest, response: Response, calls: readonly ImageCall[]): Promise<Started> {
    const key = request.get(IDEMPOTENCY_HEADER);
    const [call] = calls;
    if (calls.length === 1) {
      const started = await this.own.call(request, { method: 'POST', path: '/v2/generate', json: call!, key });
      const id = started.generation_id as number;
      return { ids: [id], haveEnded: (seconds) => this.#hasEnded(request, response, id, seconds) };
    }
    const name = `Images: ${String(call!.prompt).slice(0, PROMPT_OF_NAME)}`;
    const json = { name, rows: calls };
    const { batch } = await this.own.call(request, { method: 'POST', path: '/v2/batches', json, key });
    const read = () => this.own.call(request, { method: 'GET', path: `/v2/batches/${batch.id}?limit=${calls.length}` });
    const cells = (await read()).cells as readonly { readonly generation: GenerationResponse }[];
    const haveEnded = async () => {
      await sleep(POLL_MS);
      return (await read()).batch.state === 'ended';
    };
    return { ids: cells.map(({ generation }) => generation.id), haveEnded };
  }

  async #hasEnded(request: ApiRequest, response: Response, id: number, seconds: number): Promise<boolean> {
    if (await this.waits.hasEnded(request.actor!, response, id, Math.max(0, seconds))) return true;
    // A user with many open streams does not wait for events.
    await sleep(Math.max(0, Math.min(POLL_MS, seconds * 1000)));
    return (await this.#read(request, id)).finished_at !== null;
  }

  #read(request: ApiRequest, id: number): Promise<GenerationResponse> {
    return this.own.call(request, { method: 'GET', path: `/v2/generations/${id}` });
  }

  async *#body(ended: readonly GenerationResponse[], format: ResponseFormat): AsyncGenerator<string> {
    yield `{"created":${Math.floor(new Date(ended[0]!.created_at).getTime() / 1000)},"data":[`;
    const urls = ended.flatMap(({ outputs }) => outputs.map(({ url }) => url));
    for (const [at, url] of urls.entries()) {
      if (at > 0) yield ',';
      if (format === 'url') yield JSON.stringify({ url });
      else yield* this.#base64At(url);
    }
    const credits = ended.reduce((sum, { state, cost }) => (state === 'succeeded' ? sum + cost : sum), 0);
    yield `],"usage":{"credits":${credits}},"generation_ids":[${ended.map(({ id }) => id).join()}]}`;
  }

  async *#base64At(url: string): AsyncGenerator<string> {
    const bytes = await this.storage.open(this.urls.keyOf(url) ?? '');
    if (!bytes) throw notFound('file');
    yield '{"b64_json":"';
    yield* base64Of(bytes);
    yield '"}';
  }
}

function failureOf({ id, error, state }: GenerationResponse): Parameters<SlowJson['fail']> {
  const { code, message } = error ?? { code: state, message: 'the generation was canceled' };
  const [status, type] = OF_CALLER.test(code) ? [400, 'invalid_request_error'] : [502, 'server_error'];
  return [status, { message, type, param: null, code, generation_id: id }];
}

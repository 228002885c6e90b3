import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpenAI } from 'openai';
import type { Image, ImageEditParamsNonStreaming, ImageGenerateParamsNonStreaming } from 'openai/resources/images';
import { VendorCallFailed, type VendorFetch } from '#adapters/outgoing-http';
import { vendorFields, type Model, type ModelKind, type ProviderSettings } from '#catalogue';
import {
  OutcomeUnknown,
  ProviderFailure,
  type FetchedOutput,
  type ProviderHealth,
  type RemoteInput,
  type RemoteProvider,
  type RemoteTask,
  type SubmitOptions,
  type SubmitResult,
  type VendorOutput,
  type VendorState,
} from '#generation';
import { providerFailure } from '../remote/failures.ts';
import { healthOf } from '../remote/health.ts';
import { mappedValues } from '../remote/inputs.ts';
import { fetchOutput } from '../remote/outputs.ts';
import { VendorCalls } from '../remote/vendor-calls.ts';
import { KEEPS_OUTPUTS_SECONDS, vendorFetch, type RemoteFactory, type RemoteLimits } from '../remote/vendor.ts';
import { isNotAccepted, refusalCodeOf } from './refusals.ts';

const OPENAI = 'https://api.openai.com/v1';
/** Maximum pictures in a response. */
const MAX_PICTURES = 10;
const BASE64_OVERHEAD = 4 / 3;
/** The response is parsed as a whole. */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;
/** Longer than any time limit of a model: the SDK's own time limit must not end a call. */
const SDK_TIMEOUT_MS = 24 * 3_600_000;

/**
 * OpenAI's image API and compatible servers. One synchronous call returns the pictures; a call whose response was lost
 * can't be found again.
 */
class OpenAiProvider implements RemoteProvider {
  readonly id: string;
  readonly hasWebhooks = false;
  readonly keepsOutputsSeconds = KEEPS_OUTPUTS_SECONDS;
  readonly #http: VendorFetch;
  readonly #calls: VendorCalls;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly limits: RemoteLimits,
  ) {
    this.id = settings.id;
    const maxBytes = Math.min(MAX_PICTURES * limits.maxOutputBytes * BASE64_OVERHEAD, MAX_RESPONSE_BYTES);
    this.#http = vendorFetch(settings.baseUrl ?? OPENAI, limits, { maxBytes });
    this.#calls = new VendorCalls(this.#http, refusalCodeOf, isNotAccepted);
  }

  /** Edits when the mapping sets `image` or `mask`, else generates. */
  async submit(task: RemoteTask, { signal }: SubmitOptions): Promise<SubmitResult> {
    const { model, folder } = task;
    const fields: unknown = { model: model.target, ...(await fieldsOf(task)) };
    const calling = this.#calls.submit(
      (fetch) => {
        const { images } = this.#sdk(fetch);
        // OpenAI logs this header: the operator can ask its support about a lost response.
        const headers = { 'X-Client-Request-Id': task.requestKey };
        return isEdit(fields)
          ? images.edit(fields, { headers })
          : images.generate(fields as ImageGenerateParamsNonStreaming, { headers });
      },
      { signal, timeoutSeconds: model.timeLimitSeconds },
    );
    const { data } = await calling.catch((error: unknown) => {
      throw isTooLarge(error) ? responseTooLarge(error) : error;
    });
    const pictures = picturesIn(data);
    if (pictures.length === 0) throw providerFailure('unusable_output');
    const keeping = pictures.map((picture, index) =>
      this.#keep(picture, join(folder, `output-${index}`), model.kind, signal),
    );
    return { outputs: await Promise.all(keeping), cost: null };
  }

  find(): Promise<'unknown'> {
    return Promise.resolve('unknown');
  }

  /** Never called: submissions have no handles. */
  check(): Promise<VendorState> {
    return Promise.resolve({ state: 'failed', failure: providerFailure('provider_outcome_unknown') });
  }

  fetchOutput(output: VendorOutput, target: string, kind: ModelKind, signal: AbortSignal): Promise<void> {
    return fetchOutput(this.#http, output, target, { kind, limits: this.limits, signal });
  }

  cancel(): Promise<'unsupported'> {
    return Promise.resolve('unsupported');
  }

  isAuthentic(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Reads the list of models, which some servers lack. */
  health(model: Model | null, signal: AbortSignal): Promise<ProviderHealth> {
    return healthOf(model, () =>
      this.#calls.query<boolean | null>(
        async (fetch) => {
          const { data } = await this.#sdk(fetch).models.list();
          return model && data.some(({ id }) => id === model.target);
        },
        { signal },
        ({ status }) => (status === 404 ? null : undefined),
      ),
    );
  }

  async #keep(
    { b64_json: base64, url }: Image,
    file: string,
    kind: ModelKind,
    signal: AbortSignal,
  ): Promise<FetchedOutput> {
    if (base64) await writeFile(file, base64, 'base64');
    else {
      await this.fetchOutput({ url: url!, label: null, score: null }, file, kind, signal).catch((cause: unknown) => {
        // Not retryable: the output was billed, and a retry would be a new submission.
        throw cause instanceof ProviderFailure ? providerFailure('unusable_output', { cause }) : cause;
      });
    }
    return { file, label: null, score: null };
  }

  #sdk(fetch: typeof globalThis.fetch): OpenAI {
    return new OpenAI({
      apiKey: this.settings.key ?? 'none',
      baseURL: this.settings.baseUrl ?? OPENAI,
      // Without this property the SDK would send a request to find the class.
      fetch: Object.assign(fetch, { Response }),
      maxRetries: 0,
      timeout: SDK_TIMEOUT_MS,
      // The SDK would read missing options from the environment, and could log prompts.
      organization: null,
      project: null,
      logLevel: 'off',
    });
  }
}

export const createOpenAiProvider: RemoteFactory = (settings, limits) => new OpenAiProvider(settings, limits);

/** Inputs are files; the mapping decides their fields. */
async function fieldsOf(task: RemoteTask): Promise<Record<string, unknown>> {
  let count = 0;
  const values = await mappedValues(task, async ({ file, contentType }: RemoteInput) => {
    const name = `input-${count++}.${contentType.split('/')[1]}`;
    return new File([await readFile(file)], name, { type: contentType });
  });
  return vendorFields(task.model.mapping, values);
}

function isEdit(fields: unknown): fields is ImageEditParamsNonStreaming {
  return typeof fields === 'object' && fields !== null && ('image' in fields || 'mask' in fields);
}

function isTooLarge(error: unknown): error is OutcomeUnknown {
  const cause = error instanceof OutcomeUnknown && error.cause;
  return cause instanceof VendorCallFailed && cause.outcome === 'too_large';
}

function responseTooLarge(cause: OutcomeUnknown): ProviderFailure {
  return new ProviderFailure('unusable_output', "the provider's response is too large to be read", { cause });
}

/** Without entries whose picture was withheld. */
function picturesIn(data: readonly Image[] | undefined): readonly Image[] {
  return Array.isArray(data) ? data.filter((picture: Image) => Boolean(picture.b64_json ?? picture.url)) : [];
}

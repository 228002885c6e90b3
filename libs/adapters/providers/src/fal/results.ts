import { VendorCallFailed, type VendorResponse } from '#adapters/outgoing-http';
import type { ModelKind, StyleResult } from '#catalogue';
import type { FailureCode, ProviderFailure, VendorOutput, VendorState } from '#generation';
import { providerFailure, type Refusal } from '../remote/failures.ts';
import { asObject, isObject, parsedJson } from '../remote/json.ts';
import { trainedOutputs } from '../remote/trained-styles.ts';

/** The fields in which fal's models return their files, in order of preference. */
const FIELDS_OF_ANY = ['files', 'file', 'output', 'outputs'];
const FIELDS: Readonly<Record<Exclude<ModelKind, 'style'>, readonly string[]>> = {
  image: ['images', 'image', ...FIELDS_OF_ANY],
  vector: ['svg', 'images', 'image', ...FIELDS_OF_ANY],
  video: ['video', 'videos', ...FIELDS_OF_ANY],
  model3d: ['model_glb', 'model_mesh', 'glb', ...FIELDS_OF_ANY],
  mask: ['masks', 'individual_masks', 'mask', 'image', 'images', ...FIELDS_OF_ANY],
};

/**
 * The state of a request whose result is `body`, a JSON value.
 *
 * @param trained the field of a training that has what was trained
 */
export function endedBy(body: unknown, kind: ModelKind, trained: StyleResult | null = null): VendorState {
  const result = isObject(body) ? body : {};
  const outputs = trained ? trainedOutputs(trained, result) : outputsIn(result, kind);
  const unflagged = outputs.filter((_, index) => itemOf(result['has_nsfw_concepts'], index) !== true);
  if (unflagged.length > 0) return { state: 'ended', outputs: unflagged, cost: null };
  // fal replaces flagged pictures by black ones.
  return failed(outputs.length > 0 ? 'content_rejected' : 'unusable_output');
}

function outputsIn(result: Readonly<Record<string, unknown>>, kind: ModelKind): readonly VendorOutput[] {
  for (const field of kind === 'style' ? [] : FIELDS[kind]) {
    const files = [result[field] ?? []].flat();
    const outputs = files.flatMap((file, index) => outputOf(file, result, index) ?? []);
    if (outputs.length > 0) return outputs;
  }
  return [];
}

function outputOf(
  file: unknown,
  { labels, scores }: Readonly<Record<string, unknown>>,
  index: number,
): VendorOutput | null {
  const url = isObject(file) ? file['url'] : file;
  const label = itemOf(labels, index);
  const score = itemOf(scores, index);
  if (typeof url !== 'string') return null;
  return { url, label: typeof label === 'string' ? label : null, score: typeof score === 'number' ? score : null };
}

/**
 * The state of a request whose result is a refusal by the model (typed details) or by the platform (error type).
 * `undefined` when the response says nothing about the request, because the queue itself failed.
 */
export function failedBy(response: VendorResponse): VendorState | undefined {
  const { status, headers } = response;
  const types = typesOf(response);
  if (types.includes('client_cancelled')) return { state: 'canceled' };
  // The result has expired.
  if (status === 410) return failed('unusable_output', response);
  if (status === 404) return inconclusive('unusable_output', response);
  // It was not started within `startTimeout`.
  if (headers.get('x-fal-request-timeout-type') === 'user') return failed('timed_out', response);
  const code = refusalCodeOf(response);
  if (code) return failed(code, response);
  // A 401 is about the key.
  if (types.length === 0 || status === 401) return undefined;
  // fal may have made the output, and retries failures of its runners by itself: a new submission could be billed twice.
  if (status >= 500 || status === 499) return inconclusive('provider_unavailable', response);
  return failed('invalid_input', response);
}

/** Classifies the refusal of a submission. The `detail` of a 404 names the application or its path; that of a proxy has none. */
export function submissionRefusalOf(response: VendorResponse): Refusal | null {
  const { detail } = asObject(parsedJson(response.body));
  const isUnknown =
    response.status === 404 && typeof detail === 'string' && /^(application|path) .+ not found/i.test(detail);
  return isUnknown ? 'unknown_model' : refusalCodeOf(response);
}

/** Classifies a refusal by its body. */
export function refusalCodeOf(response: VendorResponse): FailureCode | null {
  if (typesOf(response).includes('content_policy_violation')) return 'content_rejected';
  return response.status === 422 ? 'invalid_input' : null;
}

/** A 429 is a limit before fal's queue. A 503 is fal's own if it has a `detail`, else that of a proxy before it. */
export function isNotAccepted({ status, body }: VendorResponse): boolean {
  return status !== 503 || asObject(parsedJson(body))['detail'] !== undefined;
}

/** The types of errors of the model (`detail[].type`) and of the platform (`error_type`). */
function typesOf({ headers, body }: VendorResponse): readonly string[] {
  const { detail, error_type } = asObject(parsedJson(body));
  const details = (Array.isArray(detail) ? detail : []).filter(isObject);
  const types = [headers.get('x-fal-error-type'), error_type, ...details.map(({ type }) => type)];
  return types.filter((type) => typeof type === 'string');
}

function failed(code: FailureCode, response: VendorResponse | null = null): VendorState {
  return { state: 'failed', failure: failureFor(code, response) };
}

function inconclusive(code: FailureCode, response: VendorResponse): VendorState {
  return { state: 'inconclusive', failure: failureFor(code, response) };
}

function failureFor(code: FailureCode, response: VendorResponse | null): ProviderFailure {
  const cause = response && new VendorCallFailed('refused', response, `status ${response.status}`);
  return providerFailure(code, { cause });
}

function itemOf(list: unknown, index: number): unknown {
  return Array.isArray(list) ? list[index] : undefined;
}

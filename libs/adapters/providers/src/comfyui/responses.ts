import type { VendorResponse } from '#adapters/outgoing-http';
import type { Mapping } from '#catalogue';
import type { FailureCode, ProviderFailure } from '#generation';
import { providerFailure } from '../remote/failures.ts';
import { asObject, parsedJson } from '../remote/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A file that a node has saved. */
export interface SavedFile {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

/** A job that has ended. */
export interface EndedJob {
  /** By node, then by kind: `images`, `gifs`, `video`, `3d`, … */
  readonly outputs: Fields;
  /** Its events in order, by name. */
  readonly events: ReadonlyMap<unknown, Fields>;
  readonly isFailed: boolean;
}

/** Reads a job of the history (`status`) or of `/api/jobs/{id}` (`execution_status`). */
export function endedJob(entry: Fields, statusField: 'status' | 'execution_status'): EndedJob {
  // Old versions return null.
  const { status_str, messages } = asObject(entry[statusField]);
  const events = (Array.isArray(messages) ? (messages as unknown[]) : []).map(asObject);
  return {
    outputs: asObject(entry['outputs']),
    events: new Map(events.map(({ '0': name, '1': facts }) => [name, asObject(facts)])),
    isFailed: status_str === 'error',
  };
}

const MEDIA = /\.(png|jpe?g|webp|gif|svg|mp4|webm|glb)$/i;

/**
 * The pictures, videos and 3D files of all nodes. Previews and other temporary files only when nothing else was saved.
 */
export function savedFiles({ outputs }: EndedJob): readonly SavedFile[] {
  const files = Object.values(outputs)
    .flatMap((node) => Object.values(asObject(node)))
    .flatMap((items) => (Array.isArray(items) ? (items as unknown[]) : []))
    .filter(isMedia);
  const kept = files.filter(({ type }) => type === 'output');
  return kept.length > 0 ? kept : files;
}

function isMedia(item: unknown): item is SavedFile {
  const { filename, subfolder, type } = asObject(item);
  const isFile = [filename, subfolder, type].every((text) => typeof text === 'string');
  return isFile && MEDIA.test(filename as string);
}

const OUT_OF_MEMORY = /OutOfMemory|out of memory/i;
/** Nodes of partners repeat the messages of their vendors. */
const MODERATED = /moderat|content.policy|nsfw|safety (system|filter|checker)/i;
const WITHOUT_ACCOUNT = /unauthori[sz]ed|payment required|please log ?in/i;

/** The failure of a job, or its interruption; `null` when it succeeded. */
export function failureOf({ events, isFailed }: EndedJob): ProviderFailure | 'canceled' | null {
  if (events.has('execution_interrupted')) return 'canceled';
  const error = events.get('execution_error');
  if (!error && !isFailed) return null;
  const { node_id, node_type, exception_type, exception_message } = error ?? {};
  const reason = `${String(exception_type)}: ${String(exception_message).trim().slice(0, 300)}`;
  const cause = new Error(`ComfyUI failed in node ${String(node_id)} (${String(node_type)}) with ${reason}`);
  if (OUT_OF_MEMORY.test(reason)) return providerFailure('provider_unavailable', { retryable: true, cause });
  if (MODERATED.test(reason)) return providerFailure('content_rejected', { cause });
  return providerFailure(WITHOUT_ACCOUNT.test(reason) ? 'provider_misconfigured' : 'provider_unavailable', { cause });
}

/**
 * Classifies the refusal of a workflow. The mapping sets values of the caller; all others are the operator's. `null` for
 * any other refusal.
 */
export function refusalCode({ status, body }: VendorResponse, mapping: Mapping): FailureCode | null {
  // Only another kind of server responds with 405 to this POST.
  if (status === 405) return 'provider_misconfigured';
  if (status !== 400) return null;
  const invalid = Object.entries(asObject(asObject(parsedJson(body))['node_errors'])).flatMap(invalidFields);
  const isCallersFault = invalid.length > 0 && invalid.every((field) => Object.hasOwn(mapping, field));
  return isCallersFault ? 'invalid_input' : 'provider_misconfigured';
}

/** The invalid inputs of a node, as paths of a mapping. */
function invalidFields([id, node]: [string, unknown]): string[] {
  const { errors } = asObject(node);
  if (!Array.isArray(errors)) return [];
  return errors.map(
    (error: unknown) => `${id}.inputs.${String(asObject(asObject(error)['extra_info'])['input_name'])}`,
  );
}

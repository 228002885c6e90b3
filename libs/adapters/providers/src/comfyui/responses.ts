import type { VendorResponse } from '#adapters/outgoing-http';
import type { FailureCode, Mapping, ProviderFailure } from '#generation';
import { providerFailure } from '../remote/failures.ts';

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

/** A job as the history shows it (`status`), or `/api/jobs/{id}` (`execution_status`). */
export function endedJob(entry: Fields, statusField: 'status' | 'execution_status'): EndedJob {
  // It is null in old versions.
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
 * The pictures, videos and 3D files of all nodes; previews and other temporary ones only when there is nothing else.
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
/** Nodes of partners pass on what their vendor says. */
const MODERATED = /moderat|content.policy|nsfw|safety (system|filter|checker)/i;
const WITHOUT_ACCOUNT = /unauthori[sz]ed|payment required|please log ?in/i;

/** Whether the job was interrupted, or why it failed; `null` when it succeeded. */
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
 * What a refused workflow means: values that the mapping sets come from the call, everything else from the author of
 * the workflow. `null` when the refusal is none of a workflow.
 */
export function refusalCode({ status, body }: VendorResponse, mapping: Mapping): FailureCode | null {
  // Its static files take no POST: there is another server.
  if (status === 405) return 'provider_misconfigured';
  if (status !== 400) return null;
  const wrong = Object.entries(asObject(asObject(parsed(body))['node_errors'])).flatMap(wrongFields);
  const isOfCall = wrong.length > 0 && wrong.every((field) => Object.hasOwn(mapping, field));
  return isOfCall ? 'invalid_input' : 'provider_misconfigured';
}

/** The paths of a node's wrong inputs, as a mapping has them. */
function wrongFields([id, node]: [string, unknown]): string[] {
  const { errors } = asObject(node);
  if (!Array.isArray(errors)) return [];
  return errors.map(
    (error: unknown) => `${id}.inputs.${String(asObject(asObject(error)['extra_info'])['input_name'])}`,
  );
}

/** The value of JSON text; `null` when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** The value if it is an object or a list, else an empty object. */
export function asObject(value: unknown): Fields {
  return value !== null && typeof value === 'object' ? (value as Fields) : {};
}

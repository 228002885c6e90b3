import { DomainError, invalidField, type Sealed } from '#kernel';
import type { JsonObject } from './json.ts';

/** The settings of a provider that operators may change, without its key. */
export interface ProviderFields {
  /** `replicate`, `fal`, `openai`, `comfyui`, … */
  readonly type: string;
  /** `null` for the vendor's own URL. */
  readonly baseUrl: string | null;
  /** The URLs of all servers when there are several; the first is `baseUrl`. */
  readonly baseUrls?: readonly string[] | null;
  /** Maximum concurrent submissions of one worker. */
  readonly maxConcurrent: number;
  /** Limit of all workers together; `null` for no limit. */
  readonly submissionsPerMinute: number | null;
}

/** A provider that operators have added. */
export interface AddedProvider extends ProviderFields {
  readonly id: string;
  /** Counts the changes, from 1. */
  readonly revision: number;
  readonly key: Sealed | null;
  /** As `keyEndOf`; `null` without a key. */
  readonly keyEnd: string | null;
}

/** A revision of a model that operators have added. */
export interface AddedModel {
  readonly id: string;
  /** Counts the changes, from 1. */
  readonly revision: number;
  /** The entry as in a catalogue file, without its id; a ComfyUI workflow stands in the entry itself. */
  readonly entry: JsonObject;
  /** True if callers may use the model. */
  readonly isOffered: boolean;
}

/** The last four characters of a key, which operators see; empty for a short key, which could be guessed from them. */
export function keyEndOf(key: string): string {
  return key.length < 16 ? '' : key.slice(-4);
}

/** Context that a key is sealed with. */
export function providerKeyContext(id: string): string {
  return `key of provider ${id}`;
}

/**
 * Two operators do not overwrite each other's changes if each change names the revision that it is based on.
 *
 * @param current `null` when there is no such entry
 * @param based `null` for a new entry; `undefined` for a change of whatever there is
 * @throws DomainError `conflict`
 */
export function requireRevision(current: number | null, based: number | null | undefined): void {
  if (based === undefined || current === based) return;
  if (based === null) throw new DomainError('conflict', 'the id is taken: choose another one, or read the entry first');
  const what = current === null ? 'deleted' : 'changed';
  throw new DomainError('conflict', `the entry has been ${what} meanwhile: read it again`);
}

/**
 * The key is sent to the URL: an operator who changes the URL enters the key again.
 *
 * @param key the new key; `undefined` keeps the current one
 * @throws DomainError `validation_failed`
 */
export function requireKeyForUrl(
  current: AddedProvider | null,
  fields: Pick<ProviderFields, 'baseUrl' | 'baseUrls'>,
  key: unknown,
): void {
  if (!current?.key || key !== undefined) return;
  const known = urlsOf(current);
  if (urlsOf(fields).every((url) => known.includes(url))) return;
  throw invalidField('key', 'must be entered again when base_url changes, as it is sent there');
}

function urlsOf({ baseUrl, baseUrls }: Pick<ProviderFields, 'baseUrl' | 'baseUrls'>): readonly (string | null)[] {
  return baseUrls ?? [baseUrl];
}

/**
 * A provider can be deleted when no model and no open generation uses it.
 *
 * @param models ids of the models that name it
 * @param open generations that have been accepted with it and have not ended
 * @throws DomainError `conflict`
 */
export function requireUnused(models: readonly string[], open: number): void {
  if (models.length > 0) {
    throw new DomainError('conflict', `the provider is used by ${models.join(', ')}: delete these models first`);
  }
  if (open > 0) {
    throw new DomainError(
      'conflict',
      `${open} generations of the provider have not ended: wait for them or cancel them`,
    );
  }
}

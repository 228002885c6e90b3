import { invalidField, metadataProblem, type Metadata } from '#kernel';

/**
 * The preferences after a change: given ones replace those of the same name, an empty text removes one.
 *
 * @throws DomainError `validation_failed` for more than `MAX_METADATA.keys` of them
 */
export function changedPreferences(before: Metadata, changes: Metadata): Metadata {
  const all = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== '');
  const preferences = Object.fromEntries(all);
  const problem = metadataProblem(preferences);
  if (problem !== undefined) throw invalidField('preferences', problem);
  return preferences;
}

import { invalidField } from '#kernel';

/** Maximum tags of one item. */
export const MAX_TAGS = 32;
export const MAX_TAG_LENGTH = 64;
/** Units of a tag in a request: a character has up to two. */
export const MAX_TAG_UNITS = MAX_TAG_LENGTH * 2;

/**
 * A tag in its one form: NFKC, lower case, single spaces. A comma separates tags in forms, so that none has one.
 *
 * @throws DomainError `validation_failed`
 */
export function tagOf(text: string, field = 'tags'): string {
  const wrong = invalidField(field, `must have tags of 1 to ${MAX_TAG_LENGTH} characters`);
  if (text.length > MAX_TAG_UNITS) throw wrong;
  const tag = formOf(text);
  if (tag === '' || [...tag].length > MAX_TAG_LENGTH) throw wrong;
  if (!tag.isWellFormed() || /[\p{Cc},]/u.test(tag)) {
    throw invalidField(field, 'must have tags without commas and control characters');
  }
  return tag;
}

/**
 * Tags in their one form, each once, in order.
 *
 * @throws DomainError `validation_failed`
 */
export function tagsOf(texts: readonly string[], field = 'tags'): readonly string[] {
  return [...new Set(texts.map((text) => tagOf(text, field)))].sort();
}

/** The beginning of tags, in their form. */
export function tagPrefixOf(text: string): string {
  return text.length > MAX_TAG_UNITS ? '' : formOf(text, false);
}

function formOf(text: string, isWhole = true): string {
  // Lower case can be a compatibility form, and the other way round.
  const form = text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ');
  return isWhole ? form.trim() : form.trimStart();
}

/** How the tags of items change. */
export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/**
 * The tags of an item after a change, in order.
 *
 * @throws DomainError `validation_failed` when there would be too many
 */
export function changedTags(tags: readonly string[], { add, remove }: TagChange): readonly string[] {
  const kept = tags.filter((tag) => !remove.includes(tag));
  const changed = [...new Set([...kept, ...add])].sort();
  if (changed.length > MAX_TAGS) throw invalidField('add', `must leave each item ${MAX_TAGS} tags at most`);
  return changed;
}

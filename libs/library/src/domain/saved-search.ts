import { DomainError, invalidField } from '#kernel';
import { sortOf, type LibraryFilter } from './filter.ts';

const MAX_NAME_LENGTH = 100;
/** Maximum saved searches of one person in a workspace. */
export const MAX_SAVED_SEARCHES = 200;

/** A search of the library that the members of a workspace share. */
export interface SavedSearch {
  readonly id: number;
  readonly name: string;
  readonly filter: LibraryFilter;
  readonly createdBy: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** @throws DomainError `validation_failed` */
export function searchNameOf(text: string): string {
  const name = text.length > 2 * MAX_NAME_LENGTH ? '' : text.normalize('NFC').trim();
  if (name === '' || [...name].length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw invalidField('name', `must have 1 to ${MAX_NAME_LENGTH} characters, without control characters`);
  }
  return name;
}

/** @throws DomainError `validation_failed` for a search that could not be run */
export function checkedFilter(filter: LibraryFilter): LibraryFilter {
  sortOf(filter);
  return filter;
}

/**
 * @param saved how many searches a person has, with the new one
 * @throws DomainError `conflict`
 */
export function checkSavedSearches(saved: number): void {
  if (saved <= MAX_SAVED_SEARCHES) return;
  throw new DomainError('conflict', `you have ${MAX_SAVED_SEARCHES} saved searches: delete one that is not used`);
}

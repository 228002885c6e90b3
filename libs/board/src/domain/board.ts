import { invalidField, type CustomData } from '#kernel';

export const MAX_NAME_LENGTH = 255;
export const MAX_EXTRAS_BYTES = 65_536;

export interface Board extends CustomData {
  readonly id: number;
  readonly name: string;
  /** The numbers of folders and media items on the whole board, at any depth. */
  readonly foldersCount: number;
  readonly mediaCount: number;
  readonly createdAt: Date;
}

export interface Folder {
  readonly id: number;
  readonly name: string;
  /** `null` at the board's root. */
  readonly parentId: number | null;
}

/** The numbers of deleted folders and media items. */
export interface Deleted {
  readonly folders: number;
  readonly media: number;
}

/**
 * The name of a board or a folder, trimmed.
 *
 * @throws DomainError `validation_failed` unless 1 to 255 characters are left
 */
export function nameOf(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length < 1 || length > MAX_NAME_LENGTH) {
    throw invalidField('name', `must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  return name;
}

/**
 * A client's own data on a media item: a string that parses as JSON, kept verbatim.
 *
 * @throws DomainError `validation_failed`
 */
export function extrasOf(text: string): string {
  if (utf8Length(text) > MAX_EXTRAS_BYTES) throw invalidField('extras', 'must have at most 64 KiB');
  try {
    JSON.parse(text);
  } catch {
    throw invalidField('extras', 'must be a string that holds JSON');
  }
  return text;
}

function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

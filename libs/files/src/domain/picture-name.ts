import { invalidField } from '#kernel';
import { permanentNameOf } from './file-name.ts';

/** Maximum characters of a name. */
export const MAX_PICTURE_NAME = 255;

/**
 * The name that a person gives a picture: trimmed, in NFC.
 *
 * @throws DomainError `validation_failed`
 */
export function pictureNameOf(given: string): string {
  const name = given.length > 2 * MAX_PICTURE_NAME ? '' : given.normalize('NFC').trim();
  if (name === '' || [...name].length > MAX_PICTURE_NAME || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw invalidField('name', `must have 1 to ${MAX_PICTURE_NAME} characters, without control characters`);
  }
  return name;
}

/** The name of a picture from a URL: that of the file in it, or its host. */
export function nameOfSource(url: string): string {
  const { pathname, hostname } = URL.canParse(url) ? new URL(url) : { pathname: url, hostname: '' };
  const last = decoded(pathname.split('/').findLast((part) => part !== '') ?? '');
  const readable = last
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()
    .normalize('NFC')
    .trim();
  return [...(permanentNameOf(readable) || hostname)].slice(0, MAX_PICTURE_NAME).join('');
}

interface Names {
  readonly name: string;
  readonly filename: string;
}

/** The name of a downloaded picture: its name, with the extension of its file. */
export function downloadNameOf(file: Names): string {
  return stemOf(file) + extensionOf(file);
}

/** The name of a picture without the extension of its file. */
export function stemOf(file: Names): string {
  const extension = extensionOf(file).toLowerCase();
  return file.name.toLowerCase().endsWith(extension)
    ? file.name.slice(0, file.name.length - extension.length)
    : file.name;
}

function extensionOf({ filename }: Pick<Names, 'filename'>): string {
  return /\.[^.]{1,8}$/.exec(filename)?.[0] ?? '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

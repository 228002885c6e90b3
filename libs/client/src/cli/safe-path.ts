import { join } from 'node:path';

const MAX_NAME_BYTES = 120;
/** Characters that a file system refuses, or that a shell or a terminal takes for something else. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}\\/:*?"<>|]/gu;
/** Names of devices, with any extension: Windows opens the device. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/iu;

/** A folder of a board. */
interface Folder {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number | null;
}

/** One name of a file or folder, on every platform, for any text. */
export function safeName(text: string): string {
  const [, stem = text, extension = ''] = /^(.+?)(\.[a-z0-9]{1,8})?$/isu.exec(text.normalize('NFC')) ?? [];
  const safe = `${shortened(stem.replace(UNSAFE, '_'))}${extension}`;
  const name = safe.replace(/^\.+|[. ]+$/g, '_') || '_';
  return DEVICE.test(name) ? `_${name}` : name;
}

/** As many whole characters as fit. */
function shortened(text: string, bytes = MAX_NAME_BYTES): string {
  let short = '';
  for (const character of text) {
    if (Buffer.byteLength(short + character) > bytes) break;
    short += character;
  }
  return short;
}

/** The path of each folder of a board below `root`, by its id; a parent that is unknown or its own child counts as the root. */
export function folderPaths(root: string, folders: readonly Folder[]): ReadonlyMap<number, string> {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const namesOf = (id: number | null, seen: readonly number[] = []): string[] => {
    const folder = id === null || seen.includes(id) ? undefined : byId.get(id);
    return folder ? [...namesOf(folder.parent_id, [...seen, folder.id]), safeName(folder.name)] : [];
  };
  return new Map(folders.map(({ id }) => [id, join(root, ...namesOf(id))]));
}

/** The name of a media item, unique by its id, with the extension of its URL: `a lake-12.webp`. */
export function mediaName({
  id,
  name,
  url,
}: {
  readonly id: number;
  readonly name: string | null;
  readonly url: string;
}): string {
  const extension = /\.[a-z0-9]{1,8}$/i.exec(new URL(url).pathname)?.[0] ?? '';
  const given = name ?? '';
  const stem = given.toLowerCase().endsWith(extension.toLowerCase())
    ? given.slice(0, given.length - extension.length)
    : given;
  const suffix = `-${id}`;
  return safeName(`${shortened(stem, MAX_NAME_BYTES - suffix.length) || 'media'}${suffix}${extension}`);
}

import { safeName } from '#export';
import { downloadNameOf } from '#files';

/** The list of the files, with their facts. */
export const INDEX = 'index.csv';
/** The list of the files without bytes, and of those without the label that was asked for. */
export const MISSING = 'MISSING.txt';

export interface PlacedFile {
  /** Names of the folders that it is in, the outermost first. */
  readonly folders: readonly string[];
  readonly name: string;
  readonly filename: string;
}

/** Names of devices, with any extension: Windows opens the device. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)/iu;

/**
 * The path of each file in the zip: safe to unpack anywhere, and unique also where case and composition of characters do not
 * count. Files of one name are numbered in their order, and a file never has the path of a folder.
 */
export function pathsOf(files: readonly PlacedFile[]): readonly string[] {
  const folders = files.map((file) => file.folders.map(nameOf));
  const taken = new Set([INDEX, MISSING].map(folded));
  for (const names of folders) names.forEach((_, depth) => taken.add(folded(names.slice(0, depth + 1).join('/'))));
  const counts = new Map<string, number>();
  return files.map((file, index) => {
    const path = [...folders[index]!, nameOf(downloadNameOf(file))].join('/');
    const key = folded(path);
    let numbered = path;
    let count = counts.get(key) ?? 1;
    while (taken.has(folded(numbered))) numbered = withNumber(path, ++count);
    counts.set(key, count);
    taken.add(folded(numbered));
    return numbered;
  });
}

function nameOf(name: string): string {
  const safe = safeName(name) || '_';
  return DEVICE.test(safe) ? `_${safe}` : safe;
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** `a/photo (2).png` of `a/photo.png`. */
function withNumber(path: string, number: number): string {
  const [, stem, extension = ''] = /^(.+?)(\.[^./]{1,8})?$/su.exec(path)!;
  return `${stem} (${number})${extension}`;
}

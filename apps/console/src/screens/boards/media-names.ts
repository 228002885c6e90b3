import type { MediaDto } from '../../api/index.ts';
import { fileName } from '../../text.ts';
import { words } from '../../words.ts';

/** File names that the service gives to fetched files. */
const GIVEN = /^(media|image|picture|video|model|output)(-\d+)?\.\w+$/;

/** The name of a media item: its prompt, its file name, or its number. */
export function nameOf({ id, extras, url }: Pick<MediaDto, 'id' | 'extras' | 'url'>): string {
  const prompt = settingsOf(extras)?.prompt;
  if (typeof prompt === 'string' && prompt.trim() !== '') return prompt.trim();
  const file = url === null ? '' : fileName(url);
  return file === '' || GIVEN.test(file) ? words.boards.media(id) : file;
}

/** The extras as settings by name; null if they are no JSON object. */
export function settingsOf(extras: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(extras ?? 'null');
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

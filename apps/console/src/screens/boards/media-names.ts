import type { MediaDto } from '../../api/index.ts';
import { words } from '../../words.ts';

/** Names that the service gives to files that it fetched. */
const GIVEN = /^(media|image|picture|video|model|output)(-\d+)?\.\w+$/;

/** What people know a media by: its prompt, the name of its file, or its number. */
export function nameOf({ id, extras, url }: Pick<MediaDto, 'id' | 'extras' | 'url'>): string {
  const prompt = settingsOf(extras)?.prompt;
  if (typeof prompt === 'string' && prompt.trim() !== '') return prompt.trim();
  const file = decodeURIComponent(url?.split('/').at(-1) ?? '');
  return file === '' || GIVEN.test(file) ? words.boards.media(id) : file;
}

/** The extras as settings by name; null when they are something else. */
export function settingsOf(extras: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(extras ?? 'null');
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

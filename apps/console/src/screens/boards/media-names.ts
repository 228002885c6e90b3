import type { MediaDto } from '../../api/index.ts';
import { words } from './words.ts';

/** The name of a media item; an item without a picture has none. */
export function nameOf({ name }: Pick<MediaDto, 'name'>): string {
  return name ?? words.untitled;
}

/** The prompt that a media item was made with. */
export function promptOf({ extras }: Pick<MediaDto, 'extras'>): string | null {
  const prompt = settingsOf(extras)?.prompt;
  return typeof prompt === 'string' && prompt.trim() !== '' ? prompt.trim() : null;
}

/** The id of the generation that a media item was made by, as its extras say. */
export function generationOf({ extras }: Pick<MediaDto, 'extras'>): number | null {
  const id = settingsOf(extras)?.generation_id;
  return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : null;
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

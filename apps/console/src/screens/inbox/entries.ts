import type { LinkProps } from '@tanstack/react-router';
import type { InboxEntryDto } from '../../api/index.ts';
import { words } from './words.ts';

export type Entry = InboxEntryDto;
export type Kind = Entry['kind'];

/** The author, who is shown apart, and the rest of the sentence; no author for what has happened by itself. */
export function sentenceOf(entry: Entry): readonly [author: string | null, string] {
  const { kind, event, title, item, author, verdict } = entry;
  const news = words.news[event.type];
  if (news) return [null, news(title)];
  const deed = kind === 'decision' ? (verdict ?? 'none') : kind === 'mention' || kind === 'summary' ? kind : 'comment';
  return [author?.trim() || words.somebody, words.deeds[deed](item ?? title)];
}

/** The screen that shows the subject of an entry. */
export function placeOf({ kind, event, board_id, folder_id, media_id, persona_id }: Entry): LinkProps {
  const { id } = event.subject;
  if (kind === 'batch') return { to: '/batches/$batchId', params: { batchId: String(id) } };
  if (kind === 'style') return { to: '/personas/$personaId', params: { personaId: String(persona_id) } };
  if (kind === 'model') return { to: '/generate', search: { model: id } as never };
  if (board_id === null) return { to: '/boards' };
  const search = { folder: folder_id ?? undefined, media: media_id ?? undefined } as never;
  return { to: '/boards/$boardId', params: { boardId: String(board_id) }, search };
}

/** Entries by the day on which they came about, in the reader's zone; the order stays. */
export function daysOf(entries: readonly Entry[], now: Date): readonly (readonly [day: string, readonly Entry[]])[] {
  const days = new Map<string, Entry[]>();
  for (const entry of entries) {
    const day = dayOf(new Date(entry.created_at), now);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days];
}

function dayOf(at: Date, now: Date): string {
  const midnight = (of: Date) => new Date(of.getFullYear(), of.getMonth(), of.getDate()).getTime();
  const daysAgo = Math.round((midnight(now) - midnight(at)) / 86_400_000);
  if (daysAgo <= 0) return words.today;
  if (daysAgo === 1) return words.yesterday;
  return at.toLocaleDateString('en', { weekday: 'long', day: 'numeric', month: 'long' });
}

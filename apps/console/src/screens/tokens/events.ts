import type { InfiniteData } from '@tanstack/react-query';
import type { EventDto, EventsResponse } from '../../api/index.ts';
import { type EventType, eventWords, type SubjectType, subjectWords } from './event-words.ts';

export type EventPages = InfiniteData<EventsResponse, number | undefined>;

const TYPES = Object.keys(eventWords) as EventType[];

/** The types by their subjects, for lists to choose from. */
export const TYPE_GROUPS = (Object.keys(subjectWords) as SubjectType[]).map((of) => ({
  of,
  group: subjectWords[of].title,
  items: TYPES.filter((type) => eventWords[type].of === of).map((value) => ({ value, label: eventWords[value].label })),
}));

/** The types in a text that separates them by commas, without those that there are not. */
export function typesIn(text: string): EventType[] {
  const given = text.split(',');
  return TYPES.filter((type) => given.includes(type));
}

/** `Generation 12`, `Model local-image`. A workspace is the reader's own. */
export function subjectText({ type, id }: EventDto['subject']): string {
  return type === 'workspace' ? subjectWords[type].one : `${subjectWords[type].one} ${id}`;
}

/** The screen of the subject, for a link; null where there is none. */
export function subjectLink({ type, subject: { type: of, id } }: Pick<EventDto, 'type' | 'subject'>) {
  if (type === 'board.deleted') return null;
  const screens: Partial<Record<SubjectType, object>> = {
    generation: { to: '/generate', search: { generation: id } },
    batch: { to: `/batches/${id}` },
    board: { to: `/boards/${id}` },
    member: { to: '/team' },
    workspace: { to: '/usage' },
    webhook_endpoint: { to: '/tokens', search: { tab: 'webhooks', endpoint: id } },
  };
  return screens[of] ?? null;
}

/** The number of the latest event in pages that begin with it; 0 without any. */
export function lastNumber(pages: EventPages | undefined): number {
  return pages?.pages[0]?.events[0]?.number ?? 0;
}

/** Puts an event on top, unless it is there. */
export function withEvent(data: EventPages, event: EventDto): EventPages {
  const [first, ...rest] = data.pages;
  if (!first || event.number <= lastNumber(data)) return data;
  return { ...data, pages: [{ ...first, events: [event, ...first.events] }, ...rest] };
}

import {
  subjectOf,
  type Event,
  type EventData,
  type EventType,
  type RecordedEvent,
  type SubjectType,
} from './event.ts';

/** Makes the URL of a stored file from its key. */
export interface Urls {
  urlOf(key: string): string;
}

/** The id of an event is random, and unknown before it is recorded: no text of a caller begins with it. */
const markOf = ({ id }: Pick<RecordedEvent, 'id'>): string => `file:${id}:`;

/** URLs in the data that an event remembers: keys of files, as the address of the storage may change. */
export function rememberedUrls(event: Pick<RecordedEvent, 'id'>): Urls {
  return { urlOf: (key) => markOf(event) + key };
}

/** The data of an event, with the URLs of files as they are now. */
export function dataOf({ id, data }: Pick<RecordedEvent, 'id'> & { readonly data: EventData }, urls: Urls): EventData {
  const mark = markOf({ id });
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return value.startsWith(mark) ? urls.urlOf(value.slice(mark.length)) : value;
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shown(each)]));
  };
  return shown(data) as EventData;
}

/** An event as callers read it and endpoints get it. */
export interface ShownEvent {
  readonly id: string;
  readonly number: number;
  readonly type: EventType;
  readonly created_at: Date;
  readonly subject: { readonly type: SubjectType; readonly id: number | string };
  readonly customer: string | null;
  readonly data: EventData;
}

export function shownEvent(event: Event, urls: Urls): ShownEvent {
  const { id, number, type, createdAt: created_at, customer } = event;
  return { id, number, type, created_at, subject: subjectOf(event), customer, data: dataOf(event, urls) };
}

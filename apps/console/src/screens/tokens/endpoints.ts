import type { CreateEndpointRequest, EndpointDto } from '../../api/index.ts';
import { type EventType, eventWords } from './event-words.ts';
import { words } from './words.ts';

const ALL = '*';

export interface EndpointForm {
  readonly url: string;
  readonly description: string;
  /** Empty for all. */
  readonly types: string[];
  readonly active: boolean;
}

/** The form of an endpoint, or of a new one. */
export function endpointForm(endpoint: EndpointDto | null): EndpointForm {
  const { url = '', description, types = [], active = true } = endpoint ?? {};
  return { url, description: description ?? '', types: types.filter((type) => type !== ALL), active };
}

export function endpointRequest({ url, description, types, active }: EndpointForm): CreateEndpointRequest {
  const wanted = types.length > 0 ? types : [ALL];
  return { url: url.trim(), description: description.trim() || null, types: wanted, active };
}

/** `Board created, Board deleted`; or that it gets all. */
export function typesInWords(types: readonly string[]): string {
  if (types.includes(ALL)) return words.endpoints.allEvents;
  return types.map((type) => eventWords[type as EventType]?.label ?? type).join(', ');
}

/** A time as the value of a `datetime-local` field, in the reader's zone. */
export function localMinute(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The time of a `datetime-local` field; undefined for an empty one. */
export function timeOf(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString();
}

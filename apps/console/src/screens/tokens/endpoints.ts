import type { CreateEndpointRequest, EndpointDto } from '../../api/index.ts';
import { type EventType, eventWords } from './event-words.ts';
import { words } from './words.ts';

const ALL = '*';

export interface EndpointForm {
  readonly url: string;
  readonly description: string;
  readonly events: 'all' | 'chosen';
  readonly types: string[];
  readonly active: boolean;
}

/** The form of an endpoint, or of a new one. */
export function endpointForm(endpoint: EndpointDto | null): EndpointForm {
  if (endpoint === null) return { url: '', description: '', events: 'all', types: [], active: true };
  const { url, description, active } = endpoint;
  const types = endpoint.types.filter((type) => type !== ALL);
  return { url, description: description ?? '', events: types.length > 0 ? 'chosen' : 'all', types, active };
}

export function endpointRequest({ url, description, events, types, active }: EndpointForm): CreateEndpointRequest {
  return {
    url: url.trim(),
    description: description.trim() || null,
    types: events === 'all' ? [ALL] : [...types],
    active,
  };
}

/** `Board created, Board deleted`; or that it gets all. */
export function typesInWords(types: readonly string[]): string {
  if (types.includes(ALL)) return words.endpoints.events.all.label;
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

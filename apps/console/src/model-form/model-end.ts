import type { ModelDto, PresetDto } from '../api/index.ts';
import { costText } from './model-cost.ts';
import { words } from './words.ts';

const DAY_MS = 86_400_000;
/** Days before the end of a model from which on it is said. */
const NOTICE_DAYS = 60;

type Models = readonly ModelDto[];

/** The offered model that takes the calls of a name: of an id or alias, or of a model that has ended since the list was read. */
export function modelOf(name: string | null, models: Models, now = new Date()): ModelDto | undefined {
  const entry = entryOf(name, models);
  return entry && hasEnded(entry, now) ? successorOf(entry, models, now) : entry;
}

/** The name of a model, and what the service says of it, if it has. */
export interface NamedModel extends Pick<PresetDto, 'model'>, Partial<Pick<PresetDto, 'model_state' | 'successor'>> {}

/** The sentence about the end of a model, from 60 days before; null for none. */
export function endOf(named: NamedModel, models: Models, now: Date): string | null {
  const text = words.end;
  const entry = entryOf(named.model, models);
  const title = entry?.title ?? text.untitled(named.model);
  const state = named.model_state ?? stateOf(entry, now);
  if (state === 'unknown') return text.unknown(title);
  if (state === 'gone') return text.gone(title);
  const end = new Date(entry?.retires_at ?? now);
  const next = named.successor ? entryOf(named.successor, models) : entry && successorOf(entry, models, end);
  const then = next && text.then(next.title, costText(next));
  if (state !== 'ok') return text.ended(title, then);
  const isNear = entry?.retires_at != null && end.getTime() - now.getTime() <= NOTICE_DAYS * DAY_MS;
  return isNear ? text.ends(title, dayOf(end, now), then) : null;
}

function entryOf(name: string | null, models: Models): ModelDto | undefined {
  return models.find(({ id }) => id === name) ?? models.find(({ aliases }) => aliases.some((each) => each === name));
}

/** The state of a model of the list. Whether its vendor still has it, the list does not say. */
function stateOf(entry: ModelDto | undefined, now: Date): PresetDto['model_state'] {
  if (!entry) return 'unknown';
  return hasEnded(entry, now) ? 'retired' : 'ok';
}

function hasEnded({ retires_at: end }: ModelDto, at: Date): boolean {
  return end !== null && Date.parse(end) <= at.getTime();
}

/** The first successor that runs at a time; the service has the same rule. */
function successorOf(entry: ModelDto, models: Models, at: Date): ModelDto | undefined {
  const seen = new Set([entry]);
  for (let { successor } = entry; ;) {
    const next = models.find(({ id, kind }) => id === successor && kind === entry.kind);
    if (!next || seen.has(next)) return undefined;
    if (!hasEnded(next, at)) return next;
    seen.add(next);
    ({ successor } = next);
  }
}

/** `December 3`, in the reader's zone. */
function dayOf(end: Date, now: Date): string {
  const year = end.getFullYear() === now.getFullYear() ? undefined : 'numeric';
  return end.toLocaleDateString('en', { day: 'numeric', month: 'long', year });
}

import type { MediaDto, NoteDto } from '../../api/index.ts';

/** An entry of a board: a media item, or a note, whose id is negative. */
export type Entry = MediaDto | NoteDto;

/** A note that is being written. */
export const DRAFT: NoteDto = {
  ...{ id: 0, board_id: 0, folder_id: null, text: '', place: 0, created_by: 0, created_at: '', updated_at: '' },
};

export const isNote = (entry: Entry): entry is NoteDto => 'text' in entry;

/** Orders besides that by hand, as they are offered. */
export const SORTS = ['newest', 'oldest', 'name', 'rating', 'decision'] as const;
export type Sort = (typeof SORTS)[number] | 'manual';

/** The order of an address: by hand unless it names another. */
export function sortIn(text: string): Sort {
  return SORTS.find((sort) => sort === text) ?? 'manual';
}

const names = new Intl.Collator(undefined, { numeric: true });
const DECISIONS: readonly MediaDto['decision'][] = ['approved', 'changes_requested', 'none'];

type Compare<T> = (one: T, other: T) => number;

/** Media come before notes of the same place, and then the newest first. */
const byPlace: Compare<Entry> = (one, other) =>
  one.place - other.place || Number(isNote(one)) - Number(isNote(other)) || Math.abs(other.id) - Math.abs(one.id);

/** Equal items come newest first. */
const COMPARISONS: Readonly<Record<Sort, Compare<MediaDto>>> = {
  manual: byPlace,
  newest: () => 0,
  oldest: (one, other) => one.id - other.id,
  // Items without a name come last.
  name: (one, other) => Number(!one.name) - Number(!other.name) || names.compare(one.name ?? '', other.name ?? ''),
  rating: (one, other) => other.rating - one.rating,
  decision: (one, other) => DECISIONS.indexOf(one.decision) - DECISIONS.indexOf(other.decision),
};

export function sorted(media: readonly MediaDto[], sort: Sort): readonly MediaDto[] {
  const compare = COMPARISONS[sort];
  return media.toSorted((one, other) => compare(one, other) || other.id - one.id);
}

/** Media and notes of a folder, by hand. */
export function byHand(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted(byPlace);
}

/** The distance of new neighbours, as the service has it. */
const GAP = 2 ** 20;

/**
 * The places that the service gives to moved entries.
 *
 * @param entries those of the folder
 * @param ids the moved ones, next to each other in the new `order`
 */
export function placesFor(
  entries: readonly Entry[],
  ids: readonly number[],
  order: readonly number[],
): ReadonlyMap<number, number> {
  const places = new Map(entries.map(({ id, place }) => [id, place]));
  const { length } = ids;
  const at = order.indexOf(ids[0]!);
  const newest = order.reduce((most, id) => Math.max(most, id), 0);
  const before = places.get(order[at - 1]!) ?? -(newest + 1) * GAP;
  const behind = places.get(order[at + length]!) ?? before + (length + 1) * GAP;
  return new Map(ids.map((id, index) => [id, before + ((behind - before) / (length + 1)) * (index + 1)]));
}

/** Ids in runs that one request orders: a note, or media. */
export function runsOf(ids: readonly number[], most: number): readonly number[][] {
  const runs: number[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run && run[0]! > 0 && id > 0 && run.length < most) run.push(id);
    else runs.push([id]);
  }
  return runs;
}

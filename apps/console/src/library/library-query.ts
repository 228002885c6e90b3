import type { LibraryFilterFields, LibraryListData } from '../api/index.ts';
import { daysBetween } from '../days.ts';

/**
 * The state of the library in its address. Values of `NO_FILTER` are left out. No name is one of the settings that the
 * address of the composer has: `model`, `from`.
 */
export interface LibraryState {
  readonly q: string;
  readonly kind: string;
  readonly origin: string;
  /** The id of a model. */
  readonly madeWith: string;
  readonly persona: number;
  readonly member: number;
  /** Tags, separated by commas. */
  readonly tags: string;
  readonly rating: number;
  /** `#rrggbb`. */
  readonly color: string;
  /** The file that the results are like. */
  readonly like: number;
  /** The label of a customer. */
  readonly customer: string;
  /** Days in the reader's zone, `2026-11-22`; both are included. */
  readonly since: string;
  readonly until: string;
  readonly sort: string;
  /** The generation whose first item is open, of all pages; 0 for none. */
  readonly generation: number;
  /** The file that is open. */
  readonly open: number;
  /** Files beside each other: `12-15-18`. */
  readonly compare: string;
}

export const NO_FILTER: LibraryState = {
  ...{ q: '', kind: '', origin: '', madeWith: '', persona: 0, member: 0, tags: '', rating: 0, color: '', like: 0 },
  ...{ customer: '', since: '', until: '', sort: '', generation: 0, open: 0, compare: '' },
};

export type LibraryQuery = NonNullable<LibraryListData['query']>;

export const KINDS = ['image', 'video', 'vector', 'model3d', 'mask'] as const;
export const ORIGINS = ['output', 'upload', 'import'] as const;
export const SORTS = ['newest', 'oldest', 'rating', 'relevance'] as const;

/** The tags of a state. */
export function tagsOf({ tags }: Pick<LibraryState, 'tags'>): string[] {
  return tags.split(',').filter(Boolean);
}

/** The filters as a query of the service. Invalid filters, in a typed address, are left out. */
export function queryOf(state: LibraryState): LibraryQuery {
  if (state.generation > 0) return { generation_id: state.generation };
  const { q, madeWith, persona, member, rating, color, like, customer, since, until } = state;
  const kind = KINDS.find((each) => each === state.kind);
  const tag = tagsOf(state);
  const { after, before } = daysBetween(since, until);
  const query: LibraryQuery = {
    q: q.trim() || undefined,
    kind: kind && [kind],
    origin: ORIGINS.find((each) => each === state.origin),
    model: madeWith || undefined,
    persona_id: persona > 0 ? persona : undefined,
    user_id: member > 0 ? member : undefined,
    tag: tag.length > 0 ? tag : undefined,
    rating: rating > 0 && rating <= 5 ? rating : undefined,
    color: /^#[\da-f]{6}$/i.test(color) ? color : undefined,
    like: like > 0 ? like : undefined,
    customer: customer || undefined,
    after,
    before,
    sort: SORTS.find((each) => each === state.sort),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** Sources are another name of origins. No item is derived. */
const ORIGIN_OF = { generated: 'output', uploaded: 'upload', imported: 'import', derived: undefined } as const;

/** The state that a saved search opens. */
export function stateOf(filter: LibraryFilterFields): LibraryState {
  const {
    q,
    kind,
    origin,
    source,
    model,
    persona_id,
    user_id,
    tag,
    rating,
    color,
    like,
    customer,
    after,
    before,
    sort,
  } = filter;
  const given = {
    ...{ q, rating, color, like, customer, sort, madeWith: model, persona: persona_id, member: user_id },
    origin: origin ?? (source && ORIGIN_OF[source]),
    kind: kind?.[0],
    tags: tag?.join(','),
    since: after && dayOf(new Date(after)),
    // The end of the last day that is included.
    until: before && dayOf(new Date(Date.parse(before) - 1)),
  };
  return { ...NO_FILTER, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}

/** The names of the filters that are set, without the search text, the order, and what is open. */
export function filtersSet(state: LibraryState): (keyof LibraryState)[] {
  const { open: _, q: __, sort: ___, generation: ____, compare: _____, ...filters } = state;
  return (Object.keys(filters) as (keyof typeof filters)[]).filter((name) => state[name] !== NO_FILTER[name]);
}

/** The day of a time in the reader's zone. */
function dayOf(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 10);
}

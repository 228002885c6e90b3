import type { GenerationResponse, GenerationsListData } from '../../api/index.ts';

/** The state of the history in its address. Values of `NO_FILTER` are left out. */
export interface HistoryState {
  readonly state: string;
  readonly model: string;
  readonly persona: number;
  readonly member: number;
  /** Days in the reader's zone, `2026-11-22`; both are included. */
  readonly from: string;
  readonly to: string;
  /** The generation that is open. */
  readonly open: number;
  /** Two generations side by side: `12-15`. */
  readonly compare: string;
}

export const NO_FILTER: HistoryState = {
  state: '',
  model: '',
  persona: 0,
  member: 0,
  from: '',
  to: '',
  open: 0,
  compare: '',
};

export const STATES: readonly GenerationResponse['state'][] = ['queued', 'running', 'succeeded', 'failed', 'canceled'];

type Query = NonNullable<GenerationsListData['query']>;

/** The filters as a query of the service. Invalid filters, in a typed address, are left out. */
export function queryOf(filter: HistoryState): Query {
  const { model, persona, member, from, to } = filter;
  return {
    limit: 50,
    state: STATES.find((state) => state === filter.state),
    model: model || undefined,
    pid: persona > 0 ? persona : undefined,
    user_id: member > 0 ? member : undefined,
    after: midnight(from, 0),
    before: midnight(to, 1),
  };
}

/** The names of the filters that are set. */
export function filtersSet(state: HistoryState): string[] {
  const { open: _, compare: __, ...filters } = state;
  return Object.entries(filters).flatMap(([name, value]) =>
    value === NO_FILTER[name as keyof HistoryState] ? [] : [name],
  );
}

/** The two ids of `12-15`; null for other texts. */
export function pairOf(compare: string): readonly [number, number] | null {
  const match = /^([1-9]\d*)-([1-9]\d*)$/.exec(compare);
  return match && [Number(match[1]), Number(match[2])];
}

/** The start of a day in the reader's zone, `later` days after the given day. */
function midnight(day: string, later: number): string | undefined {
  const [year, month, date] = /^\d{4}-\d{2}-\d{2}$/.test(day) ? day.split('-').map(Number) : [];
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + later).toISOString();
}

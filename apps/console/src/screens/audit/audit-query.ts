import type { AuditEntryDto, AuditListData } from '../../api/index.ts';
import { daysBetween } from '../../days.ts';

export type { AuditEntryDto };
export type AuditAction = AuditEntryDto['action'];

/** The state of the audit log in its address. */
export interface AuditState {
  /** The id of a user, `operator` or `system`. */
  readonly actor: string;
  readonly action: string;
  /** A type and an id: `board:7`. */
  readonly target: string;
  /** Days in the reader's zone, `2026-11-22`; both are included. */
  readonly after: string;
  readonly before: string;
  /** The entry that is open. */
  readonly open: number;
}

export const NO_FILTER: AuditState = { actor: '', action: '', target: '', after: '', before: '', open: 0 };

type Query = NonNullable<AuditListData['query']>;

/** The filters as a query of the service, which refuses invalid ones by field. Days that are none restrict nothing. */
export function queryOf({ actor, action, target, after, before }: AuditState): Query {
  return {
    actor: actor || undefined,
    action: (action as AuditAction) || undefined,
    target: target.trim() || undefined,
    ...daysBetween(after, before),
  };
}

/** The names of the filters that are set. */
export function filtersSet({ open: _, ...filters }: AuditState): string[] {
  return Object.entries(filters).flatMap(([name, value]) => (value === '' ? [] : [name]));
}

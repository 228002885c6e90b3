import type { BatchState } from './domain/batch.ts';
import type { BatchView } from './ports.ts';

/** A batch as responses and webhooks show it. */
export interface BatchSummary {
  readonly name: string;
  readonly state: BatchState;
  readonly cells: BatchView['cells'] & { readonly total: number };
  readonly cost: number;
  readonly used: number;
  readonly created_at: Date;
  readonly ended_at: Date | null;
}

export function batchSummary({ name, state, total, cells, cost, used, createdAt, endedAt }: BatchView): BatchSummary {
  return { name, state, cells: { total, ...cells }, cost, used, created_at: createdAt, ended_at: endedAt };
}

import type { CustomData } from '#kernel';
import type { BatchState } from './domain/batch.ts';
import type { BatchView } from './ports.ts';

/** A batch as responses and webhooks show it. */
export interface BatchSummary extends CustomData {
  readonly name: string;
  readonly state: BatchState;
  readonly cells: BatchView['cells'] & { readonly total: number };
  readonly cost: number;
  readonly used: number;
  readonly created_at: Date;
  readonly ended_at: Date | null;
}

export function batchSummary(batch: BatchView): BatchSummary {
  const { name, state, total, cells, cost, used, customer, metadata, createdAt, endedAt } = batch;
  const progress = { name, state, cells: { total, ...cells }, cost, used };
  return { ...progress, customer, metadata, created_at: createdAt, ended_at: endedAt };
}

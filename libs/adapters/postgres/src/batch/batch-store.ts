import { sql } from 'kysely';
import type { Batch, BatchStore, FailedCell, NewBatch } from '#batch';
import { CUSTOM_DATA } from '#kernel';
import type { Database } from '../database.ts';
import { batchNotice } from '../signals.ts';
import { selectGenerations, toRequest } from '../generation/generation-rows.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { BatchRow } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';

export const BATCH = [
  ...fieldsOf('batches', ['id', 'workspaceId', 'userId', 'name', 'state', 'webhook', 'matrix', 'total', 'cost']),
  ...fieldsOf('batches', ['createdAt', 'endedAt', ...CUSTOM_DATA]),
] as const;

interface BatchId {
  readonly id: number;
}

/** New cells refer to the batch: they don't wait for this lock. */
const lockBatch = prepared<BatchId & { workspaceId: number | null }>()((param) =>
  build
    .selectFrom('batches')
    .select(BATCH)
    .where('id', '=', param('id'))
    .where('workspace_id', '=', sql<number>`coalesce(${param('workspaceId')}, workspace_id)`)
    .forNoKeyUpdate(),
);

const saveBatch = prepared<Pick<Batch, 'id' | 'state' | 'cost' | 'endedAt'>>()((param) =>
  build
    .updateTable('batches')
    .set(param.columns('state', 'cost', 'endedAt'))
    .where('id', '=', param('id'))
    .returning(batchNotice),
);

/** The open cells of a batch. For each state, the index has them together. */
const openCells = (batchId: ReturnType<typeof sql.ref<number>> | ReturnType<typeof sql<number>>) =>
  build
    .selectFrom('generations')
    .select('id')
    .where('batch_id', '=', batchId)
    .where('cell', 'is not', null)
    .where('state', 'in', [sql.lit('queued' as const), sql.lit('running' as const)]);

const findOpenCell = prepared<BatchId>()((param) => openCells(param('id')).limit(sql.lit(1)));

const selectOpenCells = prepared<BatchId & { limit: number }>()((param) =>
  openCells(param('id')).orderBy('cell').limit(param('limit')),
);

const selectHeldCells = prepared<BatchId>()((param) =>
  build
    .selectFrom('generations')
    .select('id')
    .where('batch_id', '=', param('id'))
    .where('cell', 'is not', null)
    .where('state', '=', 'queued')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('jobs')
            .where('jobs.batch_id', '=', param('id'))
            .where(sql<number>`(jobs.payload ->> 'generationId')::bigint`, '=', eb.ref('generations.id')),
        ),
      ),
    )
    .orderBy('cell'),
);

const selectFailedCells = prepared<BatchId & { cells: readonly number[] | null }>()((param) =>
  selectGenerations
    .where('batch_id', '=', param('id'))
    .where('state', '=', 'failed')
    .where('cell', 'is not', null)
    .where(sql<boolean>`(${param('cells')}::bigint[] is null or cell = any(${param('cells')}::bigint[]))`)
    .orderBy('cell'),
);

const detachFromCells = prepared<{ ids: readonly number[] }>()((param) =>
  build
    .updateTable('generations')
    .set({ cell: null })
    .where('id', '=', anyOf(param('ids'))),
);

export class PostgresBatches implements BatchStore {
  constructor(private readonly database: Database) {}

  add(batch: NewBatch): Promise<number> {
    return this.database.em.insert(BatchRow, { ...batch, state: 'running' });
  }

  lock(id: number, workspaceId: number | null = null): Promise<Batch | null> {
    return this.database.one(lockBatch, { id, workspaceId });
  }

  async save(batch: Batch): Promise<void> {
    await this.database.run(saveBatch, batch);
  }

  hasOpenCells(id: number): Promise<boolean> {
    return this.database.any(findOpenCell, { id });
  }

  async openCells(id: number, limit: number): Promise<readonly number[]> {
    return (await this.database.run(selectOpenCells, { id, limit })).map((row) => row.id);
  }

  async heldCells(id: number): Promise<readonly number[]> {
    return (await this.database.run(selectHeldCells, { id })).map((row) => row.id);
  }

  async failedCells(id: number, cells: readonly number[] | null): Promise<readonly FailedCell[]> {
    const rows = await this.database.run(selectFailedCells, { id, cells });
    return rows.map((row) => ({ generationId: row.id, cell: row.cell!, request: toRequest(row) }));
  }

  async detachCells(generationIds: readonly number[]): Promise<void> {
    await this.database.run(detachFromCells, { ids: generationIds });
  }
}

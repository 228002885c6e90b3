import { sql } from 'kysely';
import type { BatchView, BatchViews, CellView } from '#batch';
import type { GenerationState } from '#generation';
import { notFound, pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { selectViews, toView } from '../generation/generation-views.ts';
import { build, pageValues, prepared, type PageValues, type RowOf } from '../prepared.ts';
import { BATCH } from './batch-store.ts';

/** The cells of a batch by state. */
const counts = build
  .selectFrom('generations')
  .select([sql<number>`count(*) filter (where state = 'queued')`.as('queued')])
  .select([sql<number>`count(*) filter (where state = 'running')`.as('running')])
  .select([sql<number>`count(*) filter (where state = 'succeeded')`.as('succeeded')])
  .select([sql<number>`count(*) filter (where state = 'failed')`.as('failed')])
  .select([sql<number>`count(*) filter (where state = 'canceled')`.as('canceled')])
  .select([sql<number>`coalesce(sum(cost) filter (where state = 'succeeded'), 0)`.as('used')])
  .where('batch_id', '=', sql.ref<number>('batches.id'))
  .where('cell', 'is not', null);

const selectBatches = build
  .selectFrom('batches')
  .innerJoinLateral(counts.as('cells'), (join) => join.onTrue())
  .select(BATCH)
  .select(['cells.queued', 'cells.running', 'cells.succeeded', 'cells.failed', 'cells.canceled', 'cells.used']);

const pageOfBatches = (isOfCustomer: boolean) =>
  prepared<PageValues & { workspaceId: number; customer: string | undefined }>()((param) => {
    const page = selectBatches
      .where('workspace_id', '=', param('workspaceId'))
      .where('id', '<', param('before'))
      .orderBy('id', 'desc')
      .limit(param('limit'));
    return isOfCustomer ? page.where('customer', '=', sql<string>`${param('customer')}`) : page;
  });

const selectPage = pageOfBatches(false);
const selectPageOfCustomer = pageOfBatches(true);

interface OneBatch {
  readonly workspaceId: number;
  readonly id: number;
}

const selectOne = prepared<OneBatch>()((param) =>
  selectBatches.where((eb) => eb.and({ id: param('id'), workspace_id: param('workspaceId') })),
);

const findBatch = prepared<OneBatch>()((param) =>
  build
    .selectFrom('batches')
    .select('id')
    .where((eb) => eb.and({ id: param('id'), workspace_id: param('workspaceId') })),
);

interface CellsOf extends OneBatch {
  readonly after: number;
  readonly limit: number | null;
  readonly state: GenerationState | null;
}

const cellsOf = (isOfState: boolean) =>
  prepared<CellsOf>()((param) => {
    const cells = selectViews
      .select('cell')
      .where((eb) => eb.and({ batch_id: param('id'), workspace_id: param('workspaceId') }))
      .where('cell', '>', param('after'))
      .orderBy('cell')
      .limit(param('limit'));
    return isOfState ? cells.where('state', '=', sql<GenerationState>`${param('state')}`) : cells;
  });

const selectCells = cellsOf(false);
const selectCellsOfState = cellsOf(true);

export class PostgresBatchViews implements BatchViews {
  constructor(private readonly database: Database) {}

  async list(workspaceId: number, page: PageRequest, customer?: string): Promise<Page<BatchView>> {
    const statement = customer === undefined ? selectPage : selectPageOfCustomer;
    const rows = await this.database.run(statement, { workspaceId, customer, ...pageValues(page) });
    return pageOf(rows.map(toBatch), page.limit, ({ id }) => id);
  }

  async get(workspaceId: number, id: number): Promise<BatchView> {
    const row = await this.database.one(selectOne, { workspaceId, id });
    if (!row) throw notFound('batch');
    return toBatch(row);
  }

  async cells(
    workspaceId: number,
    id: number,
    page: PageRequest,
    state: GenerationState | null,
  ): Promise<Page<CellView>> {
    const { limit } = pageValues(page);
    const values = { workspaceId, id, after: page.after ?? 0, limit, state };
    const rows = await this.database.run(state === null ? selectCells : selectCellsOfState, values);
    const cells = rows.map((row) => ({ cell: row.cell!, generation: toView(row) }));
    return pageOf(cells, page.limit, ({ cell }) => cell);
  }

  exists(workspaceId: number, id: number): Promise<boolean> {
    return this.database.any(findBatch, { workspaceId, id });
  }
}

function toBatch(row: RowOf<typeof selectOne>): BatchView {
  const { queued, running, succeeded, failed, canceled, used, ...batch } = row;
  return { ...batch, cells: { queued, running, succeeded, failed, canceled }, used };
}

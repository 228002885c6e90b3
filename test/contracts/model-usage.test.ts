/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { PostgresOperatorViews } from '#adapters/postgres';
import { newWorkspace } from '../support/database.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const FROM = new Date('2026-10-01T00:00:00Z');
const UNTIL = new Date('2026-12-01T00:00:00Z');

const db = await suiteDatabase();
const { workspaceId, userId } = await newWorkspace(db.database);
const add = async (model: string, state: string, createdAt: string, seconds: number, cost: number, billed?: number) => {
  const [added] = await db.query<{ id: number }>(
    `insert into generations
       (workspace_id, user_id, model, kind, state, parameters, cost, created_at, started_at, finished_at)
     values ($1, $2, $3, 'image', $4, '{}', $5, $6, $6::timestamptz + interval '1 hour',
       case when $4 = 'queued' then null else $6::timestamptz + interval '1 hour' + $7 * interval '1 second' end)
     returning id`,
    [workspaceId, userId, model, state, cost, createdAt, seconds],
  );
  if (billed === undefined) return;
  await db.query(
    `insert into submissions (generation_id, provider, request_key, attempt, state, intended_at, give_up_at, vendor_cost)
     values ($1, 'vendor', gen_random_uuid(), 1, 'closed', $2, $2, $3)`,
    [added!.id, createdAt, billed],
  );
};
// Twenty that took 1 to 20 seconds.
for (let seconds = 1; seconds <= 20; seconds++)
  await add('fluw', 'succeeded', '2026-11-03T10:00:00Z', seconds, 4, 0.025);
await add('fluw', 'failed', '2026-11-04T10:00:00Z', 600, 4);
await add('fluw', 'canceled', '2026-11-04T10:00:00Z', 600, 4);
await add('fluw', 'queued', '2026-11-04T10:00:00Z', 0, 4);
await add('art', 'failed', '2026-11-30T23:59:59Z', 1, 2);
await add('fluw', 'succeeded', '2026-10-31T23:59:59Z', 7, 3);
await add('fluw', 'succeeded', '2026-09-30T23:59:59Z', 1, 100);
await add('fluw', 'succeeded', '2026-12-01T00:00:00Z', 1, 100);

describe('the use of models', () => {
  it('is summed up by month and model, in UTC, the newest month first', async () => {
    const rows = await new PostgresOperatorViews(db.database).modelUsage(FROM, UNTIL);
    const nothing = { uses: 1, succeeded: 0, failed: 0, canceled: 0, vendor_cost: null, vendor_costs: 0, credits: 0 };
    expect(rows).toEqual([
      { ...nothing, month: '2026-11', model: 'art', failed: 1, p50_seconds: null, p95_seconds: null },
      {
        ...{ month: '2026-11', model: 'fluw', uses: 23, succeeded: 20, failed: 1, canceled: 1 },
        ...{ credits: 80, vendor_costs: 20, vendor_cost: expect.closeTo(0.5, 9) },
        ...{ p50_seconds: 10.5, p95_seconds: expect.closeTo(19.05, 9) },
      },
      { ...nothing, month: '2026-10', model: 'fluw', succeeded: 1, credits: 3, p50_seconds: 7, p95_seconds: 7 },
    ]);
  });

  it('is empty without generations', async () => {
    const before = new Date('2020-01-01T00:00:00Z');
    expect(await new PostgresOperatorViews(db.database).modelUsage(before, before)).toEqual([]);
  });
});

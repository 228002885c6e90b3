import { PostgresAuditLog } from '#adapters/postgres';
import type { AuditFilter } from '#audit-log';
import { onBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { median, percentiles, timed } from './measure.ts';

const ENTRIES = Number(process.env.ENTRIES ?? 5_000_000);
const CALLS = 50;
const LIMIT = 50;
/** Median time of a page, in milliseconds. */
const MAX_MEDIAN = 20;

const DAY = 86_400_000;
const FILTERS: Readonly<Record<string, AuditFilter>> = {
  'no filter': {},
  'a frequent actor': { actor: 1 },
  'an actor without entries': { actor: 9_999_999 },
  'the service': { actor: 'system' },
  'a rare action': { action: 'team.create' },
  'a frequent action': { action: 'board.delete' },
  'a target': { target: { type: 'board', id: 4711 } },
  'an actor and an action': { actor: 7, action: 'team.create' },
  'an old week': { after: new Date(Date.now() - 300 * DAY), before: new Date(Date.now() - 293 * DAY) },
};

/** How long a page of the audit log takes in a workspace with so many entries: the first, and in the middle. */
await onBenchDatabase(async (bench) => {
  const { workspaceId } = await bench.newUser();
  await fill(bench, workspaceId);
  const log = new PostgresAuditLog(bench.database);
  for (const [name, filter] of Object.entries(FILTERS)) {
    for (const after of [null, Math.floor(ENTRIES / 2)]) {
      const times: number[] = [];
      for (let call = 0; call < CALLS; call++) {
        times.push(await timed(() => log.page(workspaceId, filter, { limit: LIMIT, after })));
      }
      const where = after === null ? 'first page' : 'in the middle';
      console.log(`${name}, ${where}: ${percentiles(times)}`);
      if (median(times) > MAX_MEDIAN) process.exitCode = 1;
    }
  }
});

async function fill({ query }: BenchDatabase, workspaceId: number): Promise<void> {
  await query(
    `insert into audit_log (workspace_id, at, actor, user_id, via, action, target_type, target_id, details)
     select $1, now() - (($2::integer - n) * interval '400 days') / $2::integer,
       case when n % 10 = 0 then 'system' else 'user' end, case when n % 10 = 0 then null else n % 200 end,
       case when n % 10 = 0 then null else 'session' end,
       case when n % 100000 = 1 then 'team.create' else 'board.delete' end, 'board', n % 100000, '{}'
     from generate_series(1, $2::integer) n`,
    [workspaceId, ENTRIES],
  );
  await query('analyze');
}

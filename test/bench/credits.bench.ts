import { PostgresCreditAudit, PostgresCreditLedger, PostgresUnitOfWork } from '#adapters/postgres';
import { onBenchDatabase } from './bench-database.ts';
import { load, percentiles } from './measure.ts';

const CALLERS = 200;
const SPENDS = 4000;
const REQUIRED = 300;

/** How many spends a second one workspace gets through while so many callers compete for its balance. */
await onBenchDatabase(async ({ database, query, newUser }) => {
  const unitOfWork = new PostgresUnitOfWork(database);
  const ledger = new PostgresCreditLedger(database);
  const { userId, workspaceId } = await newUser();
  const generations = await query<{ id: number }>(
    `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at)
     select $1, $2, 'bench', 'image', 'queued', '{}', 1, now() from generate_series(1, $3) returning id`,
    [workspaceId, userId, SPENDS],
  );
  const { perSecond, latencies } = await load({ callers: CALLERS, times: SPENDS }, async (number) => {
    const generationId = generations[number]!.id;
    const reservation = { workspaceId, userId, generationId, month: '2026-03', amount: 1 } as const;
    const outcome = await unitOfWork.run(() => ledger.reserve(reservation, SPENDS));
    if (outcome !== 'reserved') throw new Error(`${outcome}: ${SPENDS} credits are enough for all`);
  });
  const { used } = await ledger.balance(workspaceId, '2026-03', SPENDS);
  const faults = await new PostgresCreditAudit(database).faults();

  console.log(`${perSecond.toFixed(0)} spends/s on one balance, ${CALLERS} callers at once, 10 connections`);
  console.log(`latency ${percentiles(latencies)}; used ${used} of ${SPENDS}; faults ${faults.length}`);
  if (perSecond < REQUIRED || used !== SPENDS || faults.length) process.exitCode = 1;
});

import { PostgresAccounts, PostgresCreditAudit, PostgresCreditLedger, PostgresUnitOfWork } from '#adapters/postgres';
import { emailOf } from '#identity';
import { onBenchDatabase } from './bench-database.ts';
import { sqlOn } from '../support/database.ts';

const CALLERS = 200;
const SPENDS = 4000;
const REQUIRED = 300;

/** How many spends a second one workspace gets through while so many callers compete for its balance. */
await onBenchDatabase(async ({ database }) => {
  const accounts = new PostgresAccounts(database);
  const unitOfWork = new PostgresUnitOfWork(database);
  const ledger = new PostgresCreditLedger(database);
  const { user, workspaceId } = await accounts.open({
    email: emailOf('bench@example.com'),
    name: null,
    passwordHash: null,
    plan: 'free',
    openedAt: new Date(),
  });
  const generations = await sqlOn(database).query<{ id: number }>(
    `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at)
     select $1, $2, 'bench', 'image', 'queued', '{}', 1, now() from generate_series(1, $3) returning id`,
    [workspaceId, user.id, SPENDS],
  );
  const waiting = generations.map(({ id }) => id);
  const latencies: number[] = [];

  const spend = async (generationId: number) => {
    const started = performance.now();
    const reservation = { workspaceId, userId: user.id, generationId, month: '2026-03', amount: 1 } as const;
    const answer = await unitOfWork.run(() => ledger.reserve(reservation, SPENDS));
    if (answer !== 'reserved') throw new Error(`${answer}: ${SPENDS} credits are enough for all`);
    latencies.push(performance.now() - started);
  };
  const caller = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await spend(id);
  };

  const started = performance.now();
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const perSecond = (SPENDS / (performance.now() - started)) * 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => `${latencies[Math.floor(latencies.length * share)]!.toFixed(0)} ms`;
  const { used } = await ledger.balance(workspaceId, '2026-03', SPENDS);
  const faults = await new PostgresCreditAudit(database).faults();

  console.log(`${perSecond.toFixed(0)} spends/s on one balance, ${CALLERS} callers at once, 10 connections`);
  console.log(`latency p50 ${at(0.5)}, p99 ${at(0.99)}; used ${used} of ${SPENDS}; faults ${faults.length}`);
  if (perSecond < REQUIRED || used !== SPENDS || faults.length) process.exitCode = 1;
});

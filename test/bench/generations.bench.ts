import { setTimeout as sleep } from 'node:timers/promises';
import { connectPostgres } from '#adapters/postgres';
import { sqlOn } from '../support/database.ts';
import { onBenchService } from './bench-service.ts';
import { load, median, percentiles, processorMs, quantile } from './measure.ts';

const GENERATIONS = 200;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const CALLERS = 8;
/** The least that the local provider paints. */
const FIELDS = 'model=local-image&width=64&height=64';
const ALONE = 50;
/** From acceptance to the start of the work. */
const MOST_WAIT_MS = 150;
const PROGRAMS = { api: /apps\/api\//, worker: /apps\/worker\// };
const plan = { monthly_credits: 1_000_000, teams: true };

/**
 * Generations of the smallest local picture a second, over HTTP and to the end, of one workspace; then how long they wait
 * for their start in an empty queue.
 */
await onBenchService(
  async ({ databaseUrl, token, pool, service }) => {
    const connection = await connectPostgres(databaseUrl, { poolSize: 2 });
    const { query, one } = sqlOn(connection.database);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
    const generate = async (): Promise<void> => {
      const { statusCode, body } = await pool.request({ path: '/v2/generate', method: 'POST', headers, body: FIELDS });
      const text = await body.text();
      if (statusCode !== 202) throw new Error(`${statusCode} ${text}`);
    };
    const end = async (): Promise<void> => {
      const unfinished = 'select id from generations where finished_at is null limit 1';
      while (await one(unfinished)) await sleep(20);
    };
    const processor = () => Object.values(PROGRAMS).map((name) => processorMs([service.process(name).pid]));

    await load({ callers: CALLERS, times: GENERATIONS }, generate).then(end);
    const rounds: { readonly perSecond: number; readonly costs: readonly number[] }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [before, started] = [processor(), performance.now()];
      await load({ callers: CALLERS, times: GENERATIONS }, generate).then(end);
      const perSecond = (GENERATIONS / (performance.now() - started)) * 1000;
      rounds.push({ perSecond, costs: processor().map((now, index) => (now - before[index]!) / GENERATIONS) });
    }
    const [api, worker] = [0, 1].map((index) => median(rounds.map(({ costs }) => costs[index]!)).toFixed(1));
    const perSecond = median(rounds.map((each) => each.perSecond)).toFixed(1);
    console.log(`${perSecond} generations a second`);
    console.log(`processor time of each: API ${api} ms, worker with the processes that it starts ${worker} ms`);

    const { last } = (await one<{ last: number }>('select max(id) as last from generations'))!;
    await load({ callers: 1, times: ALONE }, () => generate().then(end));
    const rows = await query<{ state: string; wait: number }>(
      `select state, extract(epoch from started_at - created_at)::float8 * 1000 as wait from generations where id > $1`,
      [last],
    );
    if (rows.some(({ state }) => state !== 'succeeded')) throw new Error('a generation has failed');
    const waits = rows.map(({ wait }) => wait);
    console.log(`a generation in an empty queue starts after ${percentiles(waits)} (p99 at most ${MOST_WAIT_MS} ms)`);
    if (quantile(waits, 0.99) > MOST_WAIT_MS) process.exitCode = 1;
    await connection.close();
  },
  { connections: CALLERS, env: { PLANS: JSON.stringify({ free: plan }) } },
);

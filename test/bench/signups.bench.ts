import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { onBenchService } from './bench-service.ts';
import { quantile, timed } from './measure.ts';

const SIGN_UPS = 40;
const ROUNDS = 4;
/** Between two reads, which don't wait for each other. */
const EVERY_MS = 10;
const UNDISTURBED_READS = 200;
const MOST_TIMES = 3;

/** How long others' reads take beside sign-ups at once with idempotency keys: two slow functions of each password. */
await onBenchService(
  async ({ pool, token }) => {
    const send = async (method: 'GET' | 'POST', path: string, headers: Record<string, string>, fields?: object) => {
      const request = { method, path, headers: { ...headers, 'content-type': 'application/json' } };
      const { statusCode, body } = await pool.request({ ...request, ...(fields && { body: JSON.stringify(fields) }) });
      const text = await body.text();
      if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${text}`);
    };
    /** Milliseconds of reads that start until `isOver`. */
    const readUntil = async (isOver: (reads: number) => boolean): Promise<number[]> => {
      const reads: Promise<number>[] = [];
      while (!isOver(reads.length)) {
        reads.push(timed(() => send('GET', '/boards', { authorization: `Bearer ${token}` })));
        await sleep(EVERY_MS);
      }
      return Promise.all(reads);
    };
    const besideSignUps = async (): Promise<number[]> => {
      let isOver = false;
      const signUp = () => {
        const fields = { email: `${randomUUID()}@example.com`, password: 'correct horse battery staple' };
        return send('POST', '/v2/auth/signup', { 'idempotency-key': randomUUID() }, fields);
      };
      const all = Promise.all(Array.from({ length: SIGN_UPS }, signUp)).finally(() => (isOver = true));
      const [times] = await Promise.all([readUntil(() => isOver), all]);
      return times;
    };

    await readUntil((reads) => reads >= UNDISTURBED_READS);
    const undisturbed: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      undisturbed.push(...(await readUntil((reads) => reads >= UNDISTURBED_READS)));
      beside.push(...(await besideSignUps()));
      // Jobs that the sign-ups have announced are done by then.
      await sleep(1_000);
    }
    const p95 = (times: readonly number[]) => quantile(times, 0.95);
    const ratio = p95(beside) / p95(undisturbed);
    console.log(`undisturbed: p95 ${p95(undisturbed).toFixed(1)} ms of ${undisturbed.length} reads`);
    console.log(`beside ${SIGN_UPS} sign-ups: p95 ${p95(beside).toFixed(1)} ms of ${beside.length} reads`);
    console.log(`${ratio.toFixed(1)} times, required at most ${MOST_TIMES}`);
    if (ratio > MOST_TIMES) process.exitCode = 1;
  },
  { connections: 64 },
);

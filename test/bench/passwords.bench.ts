import { median, percentiles, timed } from './measure.ts';
import { onBenchService } from './bench-service.ts';

const CALLS = 500;
/** Between the medians. */
const MAX_DIFFERENCE = 0.03;

/** Compares the time of a refused log-in for an unknown address with that for a wrong password. */
await onBenchService(
  async ({ baseUrl, pool }) => {
    let calls = 0;
    const post = async (path: string, fields: object, expected: number): Promise<void> => {
      calls++;
      // Failures are counted by address: every call has its own.
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': `10.1.${calls >> 8}.${calls & 255}` };
      const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(fields) });
      const text = await body.text();
      if (statusCode !== expected) throw new Error(`${baseUrl}${path}: ${statusCode} ${text}`);
    };
    const known = 'known@example.com';
    await post('/v2/auth/signup', { email: known, password: 'correct horse battery staple' }, 201);
    const refused = (email: string) => () => post('/v2/auth/login', { email, password: 'a wrong password' }, 401);
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let call = 0; call < CALLS; call++) {
      times.unknown.push(await timed(refused(`unknown-${call}@example.com`)));
      times.known.push(await timed(refused(known)));
    }
    const difference = Math.abs(median(times.unknown) / median(times.known) - 1);
    console.log(`a wrong password: ${percentiles(times.known)}`);
    console.log(`an unknown address: ${percentiles(times.unknown)}`);
    console.log(`the medians differ by ${(difference * 100).toFixed(1)} %`);
    if (difference > MAX_DIFFERENCE) process.exitCode = 1;
  },
  { connections: 1, env: { TRUSTED_PROXIES: '127.0.0.0/8, ::1, ::ffff:127.0.0.0/104' } },
);

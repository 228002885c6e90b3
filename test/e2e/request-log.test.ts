/**
 * @tier test
 * @jest-environment-options {"isolated": true}
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RELEASE } from '#process';
import { HealthChecks } from '../../apps/api/src/health/health-checks.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type ProbeApi, startProbeApi } from '../support/probe-api.ts';

describe('the log of requests', () => {
  let db: TestDatabase;
  let api: ProbeApi;
  let text = '';
  let firstLine: unknown;
  const lines = () => text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Record<string, unknown>] : []));

  beforeAll(async () => {
    db = await createDatabase();
    api = await startProbeApi(
      db,
      { LOG_LEVEL: 'info', TRUSTED_PROXIES: '127.0.0.1' },
      { write: (line) => void (text += line) },
    );
    [firstLine] = lines();
  });
  afterAll(async () => {
    await api?.app.close();
    await db?.drop();
  });
  beforeEach(() => {
    text = '';
  });

  const send = async (path: string, init: RequestInit = {}): Promise<void> => {
    await (await fetch(api.url + path, init)).text();
    await sleep(20);
  };

  it('begins with the version that runs', () => {
    expect(firstLine).toMatchObject({ level: 'info', context: 'Release', msg: `x12 ${RELEASE.version}` });
  });

  it('has one line a request, with its id, and none of preflights and of probes that went well', async () => {
    await send('/v2/open/free', { method: 'OPTIONS' });
    await send('/health/live');
    await send('/metrics');
    await send('/v2/open/free?x=1', { headers: { 'x-request-id': 'mine' } });
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^2.*Z$/),
        process: 'api',
        request_id: 'mine',
        ip: '127.0.0.1',
        method: 'GET',
        path: '/v2/open/free',
        status: 200,
        duration_ms: expect.any(Number),
        msg: 'GET /v2/open/free 200',
      },
    ]);
  });

  it('says why a request failed through our fault, with the same id', async () => {
    await send('/v2/open/broken', { headers: { 'x-request-id': 'broken' } });
    const [why, line] = lines();
    expect(why).toMatchObject({
      level: 'error',
      request_id: 'broken',
      msg: 'something went wrong on our side',
      err: { type: 'Error', message: 'no luck', cause: { message: 'at the bottom' } },
    });
    expect(line).toMatchObject({ level: 'error', request_id: 'broken', status: 500 });
  });

  it('has the address of the client where a trusted proxy names it', async () => {
    await send('/v2/open/free', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(lines()).toMatchObject([{ ip: '203.0.113.9' }]);
  });

  it('calls a probe an error when it fails, but not because the process is about to stop', async () => {
    const checks = api.app.get(HealthChecks, { strict: false });
    let isAway = true;
    checks.register('test', () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()), {
      isNeededToServe: true,
    });
    await send('/health/serving');
    isAway = false;
    checks.drain();
    await send('/health/serving');
    await send('/v2/open/free');
    expect(lines()).toMatchObject([
      { level: 'error', path: '/health/serving', status: 503 },
      { level: 'info', path: '/v2/open/free', status: 200 },
    ]);
  });

  it('says that a request was aborted when its client left before it was complete', async () => {
    const { hostname, port } = new URL(api.url);
    const head = ['POST /v2/open/login HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 9'];
    const client = connect(Number(port), hostname);
    client.write(`${head.join('\r\n')}\r\n\r\n{`, () => client.destroy());
    await eventually(() => lines().length === 2);
    expect(lines()).toMatchObject([
      { level: 'info', msg: 'the request ended before it was complete' },
      { level: 'info', path: '/v2/open/login', aborted: true },
    ]);
  });

  it('contains no secret of a request or a response', async () => {
    const hush = {
      headers: { authorization: 'Bearer hush', cookie: 'a=hush; x12_session=hush', 'content-type': 'application/json' },
    };
    const body = JSON.stringify({ email: 'hush@hush.hush', password: 'hush' });
    await send('/v2/open/login', { ...hush, method: 'POST', body });
    await send('/v2/open/login?token=hush&signature=hush', { ...hush, method: 'POST' });
    await send('/v2/open/bytes/a?signature=hush', { ...hush, method: 'PUT', body: 'hush' });
    await send('/v2/things?token=hush', hush);
    const byCookie = { cookie: hush.headers.cookie };
    await send('/v2/things', { headers: byCookie });
    await send('/v2/things', { method: 'POST', headers: byCookie });
    expect(lines().map(({ status }) => status)).toEqual([401, 400, 200, 401, 401, 403]);
    expect(text).not.toContain('hush');
  });
});

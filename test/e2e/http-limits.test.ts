/** @tier test */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PostgresIdempotencyKeys } from '#adapters/postgres';
import type { ProbeApi } from '../support/probe-api.ts';
import {
  api,
  bearer,
  call,
  database,
  get,
  memberToken,
  newToken,
  newUser,
  post,
  rawCall,
  startAnother,
  token,
  type Reply,
} from '../support/probe-stage.ts';

describe('a request with an Idempotency-Key', () => {
  const effects = async (name: string): Promise<number> =>
    (await database.query('select 1 from users where name = $1', [name])).length;
  const send = (name: string, key: string, as = token): Promise<Reply> =>
    post('/v2/things/effects', { name }, { as, headers: { 'idempotency-key': key } });
  const isReplayed = ({ headers }: Reply): boolean => headers.get('idempotent-replayed') === 'true';

  it('has its effect once, and the same response each time', async () => {
    const [first, again] = [await send('once', 'key-once'), await send('once', 'key-once')];
    expect([first.status, isReplayed(first)]).toEqual([201, false]);
    expect([again.status, isReplayed(again)]).toEqual([201, true]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await effects('once')).toBe(1);
  });

  it('has one effect if twenty are sent at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => send('race', 'key-race')));
    expect(await effects('race')).toBe(1);
    const fresh = replies.filter((reply) => reply.status === 201 && !isReplayed(reply));
    expect(fresh).toHaveLength(1);
    for (const { status, body, headers } of replies) {
      if (status === 201) expect(body).toEqual(fresh[0]!.body);
      else {
        expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
        expect(headers.get('retry-after')).toBe('1');
      }
    }
  });

  it('is refused if the key belongs to another body, path or token, and has no effect', async () => {
    const { id, token: one } = await newUser();
    await send('mine', 'key-reused', one);
    const headers = { 'idempotency-key': 'key-reused' };
    for (const other of [
      await send('other', 'key-reused', one),
      await post('/v2/things', { name: 'mine' }, { headers, as: one }),
      await send('mine', 'key-reused', await newToken(id)),
    ]) {
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    }
    expect([await effects('other'), await effects('mine')]).toEqual([0, 1]);
  });

  it('is the same request in another body type, and another one from another user', async () => {
    const first = await send('types', 'key-types');
    const form = { body: new URLSearchParams({ name: 'types' }), headers: { 'idempotency-key': 'key-types' } };
    const again = await call('POST', '/v2/things/effects', form);
    expect(again.body).toEqual(first.body);
    expect(await effects('types')).toBe(1);
    expect(isReplayed(await send('types', 'key-types', memberToken))).toBe(false);
    expect(await effects('types')).toBe(2);
  });

  it('receives the same error if the use case decided against it, which had no effect', async () => {
    const [first, again] = [await send('conflict', 'key-conflict'), await send('conflict', 'key-conflict')];
    expect([first.status, again.status, isReplayed(again)]).toEqual([409, 409, true]);
    expect(again.body).toEqual(first.body);
    expect(await effects('conflict')).toBe(0);
  });

  it('runs again after an internal error or a validation error', async () => {
    expect((await send('broken', 'key-broken')).status).toBe(500);
    expect(await effects('broken')).toBe(0);
    expect((await send('mended', 'key-broken')).status).toBe(201);
    expect((await send('', 'key-invalid')).status).toBe(400);
    expect((await send('valid', 'key-invalid')).status).toBe(201);
  });

  it('is undone if another response was kept at the moment of its look-up', async () => {
    const first = await send('moment', 'key-moment');
    jest.spyOn(api.app.get(PostgresIdempotencyKeys), 'take').mockResolvedValueOnce(null);
    const again = await send('moment', 'key-moment');
    expect(again.body).toEqual(first.body);
    expect(isReplayed(again)).toBe(true);
    expect(await effects('moment')).toBe(1);
  });

  it('needs a key of 1 to 255 visible ASCII characters', async () => {
    for (const key of ['', 'two words', 'ünï', 'k'.repeat(256)]) {
      const headers = { ...bearer(), 'content-type': 'application/json', 'idempotency-key': key };
      const { status, body } = await rawCall('POST', '/v2/things/effects', headers, '{"name":"key"}');
      expect([key, status, body.code]).toEqual([key, 400, 'validation_failed']);
    }
    expect(await effects('key')).toBe(0);
    expect((await send('long', 'k'.repeat(255))).status).toBe(201);
  });

  it('leaves nothing readable in the database', async () => {
    await send('hidden', 'key-hidden');
    const rows = await database.query<{ row: string }>('select k::text as row, answer from idempotency_keys k');
    const stored = JSON.stringify(rows) + Buffer.from(JSON.stringify(rows)).toString('latin1');
    expect(stored).not.toMatch(/shown-once|key-hidden|hidden/);
  });

  it('is forgotten after a day', async () => {
    await send('later', 'key-later');
    const age = (hours: number) =>
      database.query(`update idempotency_keys set created_at = now() - $1 * interval '1 hour'`, [hours]);
    for (const [hours, expected] of [
      [23, true],
      [25, false],
    ] as const) {
      await age(hours);
      expect([hours, isReplayed(await send('later', 'key-later'))]).toEqual([hours, expected]);
    }
  });

  it('is kept for callers without a token too, apart for each address and body', async () => {
    const on = await startAnother({ TRUSTED_PROXIES: '127.0.0.1' });
    const login = (password: string, address: string): Promise<Reply> => {
      const headers = { 'idempotency-key': 'k', 'x-forwarded-for': address };
      return post('/v2/open/login', { email: 'a@b.c', password }, { as: '', headers, on });
    };
    const first = await login('right', '203.0.113.1');
    expect((await login('right', '203.0.113.1')).body).toEqual(first.body);
    expect((await login('wrong', '203.0.113.1')).status).toBe(401);
    const other = await login('right', '203.0.113.2');
    expect([other.status, isReplayed(other), other.body.token !== first.body.token]).toEqual([200, false, true]);
  });
});

describe('the rate limit', () => {
  it('counts the requests of a token per minute, over all processes', async () => {
    const limit = { RATE_LIMIT_PER_MINUTE: '7' };
    const [one, two] = [await startAnother(limit), await startAnother(limit)];
    const { token: as } = await newUser();
    const { headers } = await get('/v2/things', { as, on: one });
    const of = ['limit', 'remaining', 'policy'].map((name) => headers.get(`ratelimit-${name}`));
    expect(of).toEqual(['7', '6', '"token";q=7;w=60']);
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    for (let left = 6; left > 0; left--) {
      expect((await get('/v2/things', { as, on: left % 2 ? one : two })).status).toBe(200);
    }
    for (const on of [one, two]) {
      const refused = await get('/v2/things', { as, on });
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    }
    expect((await get('/v2/things', { on: one })).status).toBe(200);
  });

  it('counts by address without a token, also if tokens are guessed', async () => {
    const on = await startAnother({ RATE_LIMIT_PER_MINUTE: '20', TRUSTED_PROXIES: '127.0.0.1' });
    const guess = async (i: number, address: string): Promise<number> => {
      const as = `x12_${String(i).padStart(43, 'a')}`;
      return (await get('/v2/things', { as, headers: { 'x-forwarded-for': address }, on })).status;
    };
    for (let i = 0; i < 20; i++) expect(await guess(i, '203.0.113.1')).toBe(401);
    expect(await guess(21, '203.0.113.1')).toBe(429);
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    const login = { email: 'x', password: 'right' };
    expect((await post('/v2/open/login', login, { as: '', headers, on })).status).toBe(429);
    expect(await guess(22, '203.0.113.2')).toBe(401);
    expect((await get('/v2/things', { headers, on })).status).toBe(200);
  });

  describe('of failed log-ins, also where there is no other', () => {
    let on: ProbeApi;
    const attempt = (email: string, password: string, address: string): Promise<Reply> =>
      post('/v2/open/login', { email, password }, { as: '', headers: { 'x-forwarded-for': address }, on });
    const login = async (email: string, password: string, address: string): Promise<number> =>
      (await attempt(email, password, address)).status;

    beforeEach(async () => {
      on = await startAnother({ TRUSTED_PROXIES: '127.0.0.1' });
    });

    it('counts per address and e-mail: an attacker has to wait, the owner does not', async () => {
      for (let i = 0; i < 12; i++) expect(await login('ann@x.y', 'right', '198.51.100.1')).toBe(200);
      for (let i = 0; i < 4; i++) expect(await login('bob@x.y', 'wrong', '198.51.100.10')).toBe(401);
      const refused = await attempt(' BOB@x.y', 'right', '198.51.100.10');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await login('bob@x.y', 'right', '198.51.100.20')).toBe(200);
    });

    it('counts by address too, whatever the e-mail', async () => {
      for (let i = 0; i < 9; i++) expect(await login(`c${i}@x.y`, 'wrong', '198.51.100.30')).toBe(401);
      expect(await login('ann@x.y', 'right', '198.51.100.30')).toBe(429);
      expect(await login('ann@x.y', 'right', '198.51.100.1')).toBe(200);
    });

    it('starts the wait by one of several requests at once', async () => {
      const burst = Array.from({ length: 20 }, () => login('dan@x.y', 'wrong', '198.51.100.40'));
      const statuses = await Promise.all(burst);
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(4);
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(16);
    });
  });

  it('of 0 is no limit and has no headers', async () => {
    expect((await get('/v2/things')).headers.has('ratelimit-limit')).toBe(false);
  });

  it('is not applied to unlimited routes, and to none while it cannot be counted', async () => {
    const on = await startAnother({ RATE_LIMIT_PER_MINUTE: '1' });
    for (const path of ['/v2/open/free', '/health/live']) {
      for (let i = 0; i < 5; i++) expect((await get(path, { as: '', on })).status).toBe(200);
    }
    await database.query('alter table rate_limits rename to rate_limits_gone');
    try {
      for (let i = 0; i < 3; i++) expect((await get('/v2/things', { on })).status).toBe(200);
    } finally {
      await database.query('alter table rate_limits_gone rename to rate_limits');
    }
  });
});

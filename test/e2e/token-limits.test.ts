/** @tier test */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES, type Scope } from '#identity';
import type { TestRequest, TestResponse } from '../support/call-api.ts';
import { runCommand } from '../support/command-line.ts';
import { expectRefusal } from '../support/expectations.ts';
import { useService } from '../support/use-service.ts';

const service = useService({}, { worker: false });
/** A token of a new user after log-in: without limits. */
let owner: string;
beforeAll(async () => {
  owner = (await service.signUp()).token;
});

const call = (token: string, method: string, path: string, request: TestRequest = {}) =>
  service.call(method, path, { token, ...request });
const makeToken = (maker: string, json: object) =>
  call(maker, 'POST', '/v2/auth/tokens', { json: { name: 'limited', ...json } });
const tokenWith = async (...scopes: Scope[]): Promise<string> => (await makeToken(owner, { scopes })).body.token;

function expectLack({ status, body }: TestResponse, scope: Scope): void {
  expect([status, body.code, body.scope]).toEqual([403, 'insufficient_scope', scope]);
  expect(body.message).toContain(scope);
}

describe('a token with scopes', () => {
  it('is refused by every operation that needs another one, event streams too', async () => {
    const { body: document } = await service.call('GET', '/openapi.json');
    const operations = Object.entries<Record<string, { security: { token: Scope[] }[] }>>(document.paths).flatMap(
      ([path, item]) => Object.entries(item).map(([method, { security }]) => ({ path, method, security })),
    );
    const limited = operations.filter(({ security }) => security.some(({ token }) => token.length > 0));
    expect(limited.length).toBeGreaterThan(40);
    expect(limited.map(({ path }) => path)).toContain('/v2/generations/{id}/events');
    const tokens = new Map<string, string>();
    for (const { path, method, security } of limited) {
      const accepted = security.flatMap(({ token }) => token);
      const key = accepted.join();
      if (!tokens.has(key)) tokens.set(key, await tokenWith(...SCOPES.filter((scope) => !accepted.includes(scope))));
      const url = path.replaceAll(/\{\w+\}/g, '1');
      const { status, body } = await call(tokens.get(key)!, method.toUpperCase(), url);
      expect([method, path, status, body.code, body.scope]).toEqual([
        method,
        path,
        403,
        'insufficient_scope',
        accepted[0],
      ]);
    }
  });

  it('shows its scopes in the list, as one without limits shows null', async () => {
    const { body } = await makeToken(owner, { scopes: ['read', 'upload'] });
    expect(body.scopes).toEqual(['read', 'upload']);
    const form = await call(owner, 'POST', '/v2/auth/tokens', { form: { name: 'form', scopes: 'read, upload' } });
    expect(form.body.scopes).toEqual(['read', 'upload']);
    const { tokens } = (await call(owner, 'GET', '/v2/auth/tokens')).body;
    expect(tokens.find(({ id }: { id: number }) => id === body.id).scopes).toEqual(['read', 'upload']);
    expect(tokens.at(-1).scopes).toBeNull();
    for (const scopes of [[], '', 'root', null]) {
      expectRefusal(await makeToken(owner, { scopes }), 400, 'validation_failed', 'scopes');
    }
  });

  it('makes no token with a scope that it lacks, in a session opened with it neither', async () => {
    const token = await tokenWith('account', 'read');
    const opened = await service.call('POST', '/v2/auth/session', { json: { token } });
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
    const inSession = { headers: { cookie, origin: new URL(service.baseUrl).origin } };
    expect((await service.call('GET', '/boards', inSession)).status).toBe(200);
    const board = await service.call('POST', '/boards', { ...inSession, json: { name: 'Board' } });
    expectLack(board, 'boards');

    for (const headers of [{ authorization: `Bearer ${token}` }, inSession.headers]) {
      const make = (json: object) =>
        service.call('POST', '/v2/auth/tokens', { headers, json: { name: 'made', ...json } });
      const refused = await make({ scopes: ['read', 'boards'] });
      expectLack(refused, 'boards');
      expect((await make({ scopes: ['read'] })).body.scopes).toEqual(['read']);
      expect((await make({})).body.scopes).toEqual(['account', 'read']);
    }
  });
});

it('a token with scopes sees and ends only the tokens and sessions that were made with it', async () => {
  const token = await tokenWith('account');
  const [{ id: foreign }] = (await call(owner, 'GET', '/v2/auth/sessions')).body.sessions;
  const idsOf = async (of: string) =>
    (await call(of, 'GET', '/v2/auth/sessions')).body.sessions.map(({ id }: { id: number }) => id);
  expect(await idsOf(token)).toEqual([]);
  const { token_id: own } = (await service.call('POST', '/v2/auth/session', { json: { token } })).body;
  expect(await idsOf(token)).toEqual([own]);
  expectRefusal(await call(token, 'DELETE', `/v2/auth/sessions/${foreign}`), 404, 'not_found');
  expect((await call(token, 'DELETE', '/v2/auth/sessions')).status).toBe(200);
  expect([await idsOf(token), await idsOf(owner)]).toEqual([[], expect.arrayContaining([foreign])]);
  const { id: other } = (await makeToken(owner, {})).body;
  const ids = (await call(token, 'GET', '/v2/auth/tokens')).body.tokens.map(({ id }: { id: number }) => id);
  expect(ids).toHaveLength(1);
  expectRefusal(await call(token, 'DELETE', `/v2/auth/tokens/${other}`), 404, 'not_found');
});

describe('a token with a budget', () => {
  const json = { model: 'local-image', prompt: 'a lamp' };
  /** Costs 4 credits. */
  const generate = (token: string) => call(token, 'POST', '/v2/generate', { json });
  const ownOf = async (token: string) => {
    const { tokens } = (await call(token, 'GET', '/v2/auth/tokens')).body;
    return tokens.find((each: { is_current: boolean }) => each.is_current);
  };

  it('spends as much as it has, and gets back what is released', async () => {
    const { token: own } = await service.signUp();
    const { token } = (await makeToken(own, { monthly_credits: 5 })).body;
    const { token: made } = (await makeToken(token, {})).body;
    const first = await generate(made);
    expect(first.status).toBe(202);
    for (const each of [token, made]) expectRefusal(await generate(each), 402, 'budget_exceeded');
    expect(await ownOf(token)).toMatchObject({ monthly_credits: 5, used_credits: 4 });
    expect((await generate(own)).status).toBe(202);
    expect(await ownOf(own)).toMatchObject({ monthly_credits: null, used_credits: null });
    const { generation_id: generation } = first.body;
    expect((await call(own, 'POST', `/v2/generations/${generation}/cancel`)).status).toBe(200);
    expect(await ownOf(token)).toMatchObject({ used_credits: 0 });
    expect((await generate(token)).status).toBe(202);
  });

  it('makes no token with a larger one', async () => {
    const { token } = (await makeToken(owner, { monthly_credits: 5 })).body;
    const make = (monthly_credits?: unknown) => makeToken(token, { monthly_credits });
    expectRefusal(await make(6), 400, 'validation_failed', 'monthly_credits');
    expect((await make(5)).body.monthly_credits).toBe(5);
    expect((await make(0)).body.monthly_credits).toBe(0);
    for (const none of [undefined, null]) expect((await make(none)).body.monthly_credits).toBe(5);
    for (const wrong of [-1, 1_000_000_001, 1.5]) {
      expectRefusal(await makeToken(owner, { monthly_credits: wrong }), 400, 'validation_failed', 'monthly_credits');
    }
  });
});

describe('a token of the command line', () => {
  const create = async (...options: string[]) => {
    const { data, database } = service.settings;
    const env = { DATA_DIR: data.folder, DATABASE_URL: database.url!, PUBLIC_URL: service.baseUrl };
    const { email } = await service.signUp();
    const { out } = await runCommand(env, 'tokens', 'create', email, 'farm', '--json', ...options);
    return JSON.parse(out);
  };
  const listed = async (token: string) =>
    (await call(token, 'GET', '/v2/auth/tokens')).body.tokens.find(({ name }: { name: string }) => name === 'farm');

  it('has the scopes and the budget that the options name', async () => {
    const token = await create('--scopes', 'account, read', '--monthly-credits', '0');
    expect(token).toMatchObject({ scopes: ['read', 'account'], monthly_credits: 0 });
    expect(await listed(token.token)).toMatchObject({ scopes: ['read', 'account'], monthly_credits: 0 });
    expectLack(await call(token.token, 'POST', '/boards', { json: { name: 'Board' } }), 'boards');
  });
});

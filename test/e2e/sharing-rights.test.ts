/** @tier test */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { prepared, useService } from '../support/use-service.ts';
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** True if it takes no token. */
  readonly isPublic: boolean;
}

const service = useService();
const owner = prepared(() => service.signUp());
let operations: readonly Operation[];
/** The secret of a link that allows everything, its cookie of a guest with a name, and the secret of one with a password. */
let [secret, cookie, closed] = ['', '', ''];
beforeAll(async () => {
  const { paths } = (await service.call('GET', '/openapi.json')).body;
  operations = Object.entries<Record<string, { operationId: string; security: unknown[] }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, { operationId: id, security }]) => {
        return { id, path, method: method.toUpperCase(), isPublic: security.length === 0 };
      }),
  );
  const { token } = owner;
  const { board } = (await service.call('POST', '/v2/boards', { token, json: { name: 'Summer' } })).body;
  const share = async (json: object): Promise<string> => {
    const terms = { board_id: board.id, allow: ['download', 'comment', 'decide'], ...json };
    const { body } = await service.call('POST', '/v2/shares', { token, json: terms });
    return body.share.url.split('/').pop();
  };
  [secret, closed] = [await share({}), await share({ password: 'secret' })];
  const entered = await service.call('POST', `/v2/shared/${secret}/enter`, { json: { name: 'Grace' } });
  cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
});

/** The status and the code of an operation; every id in its path is 1. */
async function outcome(
  { id, method, path }: Operation,
  headers: Record<string, string>,
  share = secret,
): Promise<unknown> {
  const url = new URL(path.replace('{token}', share).replaceAll(/\{\w+\}/g, '1'), service.baseUrl);
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    body: method === 'GET' ? undefined : '{}',
    redirect: 'manual',
  });
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  return [id, response.status, code];
}

const ofGuests = () => operations.filter(({ id }) => id.startsWith('shared.'));

it('the cookie and the secret of a guest are let in by no operation that takes a token', async () => {
  const others = operations.filter(({ id, isPublic }) => !isPublic && !id.startsWith('shared.'));
  expect(others.length).toBeGreaterThan(80);
  const own = cookie.slice(cookie.indexOf('=') + 1);
  const tried: readonly Record<string, string>[] = [
    { cookie },
    { cookie: `x12_session=${own}`, origin: service.baseUrl },
    { authorization: `Bearer ${own}` },
    { authorization: `Bearer ${secret}` },
  ];
  for (const headers of tried) {
    for (const each of others) expect(await outcome(each, headers)).toEqual([each.id, 401, 'unauthenticated']);
  }
});

describe('the token of a member', () => {
  it('is not asked for by any operation of guests', () => {
    expect(ofGuests().length).toBeGreaterThan(8);
    for (const { id, isPublic } of ofGuests()) expect([id, isPublic]).toEqual([id, true]);
  });

  it('gives no more than a guest has: neither past a password, nor a name', async () => {
    const headers = {
      authorization: `Bearer ${owner.token}`,
      cookie: `x12_session=${owner.token}`,
      origin: service.baseUrl,
    };
    for (const each of ofGuests()) {
      expect(await outcome(each, headers, closed)).toEqual([each.id, 401, 'share_password_required']);
      expect(await outcome(each, headers, owner.token)).toEqual([each.id, 404, 'not_found']);
    }
    const writing = { ...headers, 'content-type': 'application/json' };
    const commented = await service.call('PUT', `/v2/shared/${secret}/media/1/decision`, {
      headers: writing,
      json: { decision: 'approved' },
    });
    expect([commented.status, commented.body.code]).toEqual([409, 'guest_name_required']);
  });
});

it('a page of another site changes nothing with the cookie of a guest', async () => {
  for (const each of ofGuests().filter(({ method }) => method !== 'GET')) {
    const other = { cookie, origin: 'https://evil.example' };
    expect(await outcome(each, other)).toEqual([each.id, 403, 'forbidden']);
  }
});

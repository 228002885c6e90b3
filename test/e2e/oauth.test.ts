/**
 * Applications that ask for grants: OAuth 2.1 by the official client of MCP, and by an adversary. No lower layer has the
 * endpoints, the races and the tokens together.
 *
 * @tier test, 15 s
 */
import { createHash, randomBytes } from 'node:crypto';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { describe, expect, it } from '@jest/globals';
import { expectRefusal } from '../support/expectations.ts';
import type { TestUser } from '../support/service.ts';
import { prepared, useService } from '../support/use-service.ts';

const service = useService();
const user = prepared(() => service.signUp());
const CALLBACK = 'http://127.0.0.1:8787/callback';
const SCOPE = 'read generate boards';

const at = (path: string) => new URL(path, service.baseUrl);
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies of other protocols than the API's
type Body = any;
const post = async (
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ status: number; body: Body }> => {
  const response = await fetch(at(path), { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: await response.json() };
};
const register = async (redirect_uris: readonly string[] = [CALLBACK], client_name = 'Assistant') => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ client_name, redirect_uris });
  const response = await fetch(at('/oauth/register'), { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as Body };
};

/** The beginning of an authorization, with its verifier. */
async function begin(changes: Readonly<Record<string, string>> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const { client_id } = (await register()).body;
  const asked: Record<string, string> = {
    client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope: SCOPE,
    resource: `${service.baseUrl}/mcp`,
    state: 'of-the-client',
    ...changes,
  };
  return { verifier, asked };
}

const decide = (asked: object, approve = true, by: Pick<TestUser, 'token'> = user) =>
  service.call('POST', '/v2/auth/grants', { token: by.token, json: { ...asked, approve } });

/** A granted code, and the fields that redeem it. */
async function granted(changes: Readonly<Record<string, string>> = {}) {
  const { verifier, asked } = await begin(changes);
  const { redirect_to: to } = (await decide(asked)).body;
  const code = new URL(to as string).searchParams.get('code')!;
  const { client_id, redirect_uri } = asked as { client_id: string; redirect_uri: string };
  return {
    to: new URL(to as string),
    fields: { grant_type: 'authorization_code', code, client_id, redirect_uri, code_verifier: verifier },
  };
}

const redeem = (fields: Readonly<Record<string, string>>) => post('/oauth/token', fields);
const grantsOf = async (by: Pick<TestUser, 'token'> = user) =>
  (await service.call('GET', '/v2/auth/grants', { token: by.token })).body.grants as { id: number; name: string }[];
const mayCall = async (token: string): Promise<number> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return (await fetch(at('/mcp'), { method: 'POST', headers: { ...headers, authorization: `Bearer ${token}` }, body }))
    .status;
};

describe('an application', () => {
  it('finds out by itself how to sign a user in, and then calls tools', async () => {
    let saved: Body;
    let verifier = '';
    let sentTo: URL | undefined;
    let client: Body;
    let discovery: Body;
    const authProvider = {
      redirectUrl: CALLBACK,
      clientMetadata: { client_name: 'Official client', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
      clientInformation: () => client,
      saveClientInformation: (given: Body) => void (client = given),
      tokens: () => saved,
      saveTokens: (tokens: Body) => void (saved = tokens),
      redirectToAuthorization: (url: URL) => void (sentTo = url),
      saveCodeVerifier: (given: string) => void (verifier = given),
      codeVerifier: () => verifier,
      saveDiscoveryState: (given: Body) => void (discovery = given),
      discoveryState: () => discovery,
    };
    const transport = () => new StreamableHTTPClientTransport(at('/mcp'), { authProvider });
    const first = transport();
    await expect(new Client({ name: 'official', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
    expect(sentTo!.pathname).toBe('/oauth/authorize');
    const page = await fetch(sentTo!, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([303, `/console/authorize${sentTo!.search}`]);
    const asked = Object.fromEntries(sentTo!.searchParams);
    const read = await service.call('POST', '/v2/auth/grants/check', { token: user.token, json: asked });
    expect(read.body).toMatchObject({ name: 'Official client', client_host: null, redirect_host: '127.0.0.1:8787' });
    const { redirect_to: to } = (await decide(asked)).body;
    await first.finishAuth(new URL(to as string).searchParams);
    const connected = new Client({ name: 'official', version: '1' });
    await connected.connect(transport());
    const { content } = await connected.callTool({ name: 'credits_left', arguments: {} });
    expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('available') }]);
    await connected.close();
    expect((await grantsOf()).map(({ name }) => name)).toContain('Official client');
  });

  it('gets its state and the issuer back, also when the user refuses', async () => {
    const { to } = await granted();
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ state: 'of-the-client', iss: service.baseUrl });
    const { asked } = await begin();
    const refused = new URL((await decide(asked, false)).body.redirect_to as string);
    expect(Object.fromEntries(refused.searchParams)).toEqual({
      error: 'access_denied',
      state: 'of-the-client',
      iss: service.baseUrl,
    });
  });

  it('does what its scopes allow at /mcp, and nothing anywhere else', async () => {
    const { body } = await redeem((await granted({ scope: 'read' })).fields);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read' });
    expect(await mayCall(body.access_token)).toBe(200);
    for (const path of ['/v2/auth/me', '/v2/models', '/v1/models', '/boards']) {
      expect([
        path,
        (await fetch(at(path), { headers: { authorization: `Bearer ${body.access_token}` } })).status,
      ]).toEqual([path, 401]);
    }
    expect(await mayCall(body.refresh_token)).toBe(401);
  });

  it('is listed and ended by its user alone, with all of its tokens at once', async () => {
    const other = await service.signUp();
    const { asked } = await begin();
    await decide(asked, true, other);
    expect(await grantsOf(other)).toEqual([]);
    const { body: tokens } = await redeem((await granted()).fields);
    const id = (await grantsOf())[0]!.id;
    expectRefusal(await service.call('DELETE', `/v2/auth/grants/${id}`, { token: other.token }), 404, 'not_found');
    expect(await mayCall(tokens.access_token)).toBe(200);
    expect((await service.call('DELETE', `/v2/auth/grants/${id}`, { token: user.token })).status).toBe(200);
    expect(await mayCall(tokens.access_token)).toBe(401);
    const { refresh_token } = tokens;
    const late = await redeem({ grant_type: 'refresh_token', refresh_token, client_id: asked.client_id! });
    expect(late).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const listed = (await service.call('GET', '/v2/auth/tokens', { token: user.token })).body.tokens as {
      kind: string;
    }[];
    expect(listed.filter(({ kind }) => kind === 'grant' || kind === 'access')).toEqual([]);
  });

  it('refreshes its tokens, each time with another refresh token, until it ends the grant itself', async () => {
    const { fields } = await granted();
    const { client_id } = fields;
    let { body } = await redeem(fields);
    const seen = new Set([body.refresh_token]);
    for (let round = 0; round < 3; round++) {
      ({ body } = await redeem({ grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id }));
      expect(await mayCall(body.access_token)).toBe(200);
      seen.add(body.refresh_token);
    }
    expect(seen.size).toBe(4);
    expect((await post('/oauth/revoke', { token: body.refresh_token })).status).toBe(200);
    expect(await mayCall(body.access_token)).toBe(401);
    expect((await post('/oauth/revoke', { token: 'unknown' })).status).toBe(200);
  });

  it('loses its grant when its user changes the account for another owner, or erases it', async () => {
    const leaving = await service.signUp();
    const { verifier, asked } = await begin();
    const { redirect_to: to } = (await decide(asked, true, leaving)).body;
    const code = new URL(to as string).searchParams.get('code')!;
    const { client_id, redirect_uri } = asked as { client_id: string; redirect_uri: string };
    const { body } = await redeem({
      grant_type: 'authorization_code',
      code,
      client_id,
      redirect_uri,
      code_verifier: verifier,
    });
    expect(await mayCall(body.access_token)).toBe(200);
    const { email, password } = leaving;
    await service.call('DELETE', '/v2/auth/me', { token: leaving.token, json: { email, password } });
    expect(await mayCall(body.access_token)).toBe(401);
  });
});

describe('an adversary', () => {
  it('gets no code for an address that is not registered, in any way of writing it', async () => {
    for (const redirect_uri of [
      'https://evil.example.com/callback',
      `${CALLBACK}/../../evil`,
      `${CALLBACK}?next=https://evil.example.com`,
      'http://127.0.0.1.evil.example.com:8787/callback',
      'http://127.0.0.1:8787@evil.example.com/callback',
      'javascript:alert(1)',
      'HTTP://127.0.0.1:8787/CALLBACK',
    ]) {
      const { asked } = await begin({ redirect_uri });
      for (const approve of [true, false]) {
        expectRefusal(await decide(asked, approve), 400, 'validation_failed', 'redirect_uri');
      }
    }
    expect((await register(['javascript:alert(1)'])).body.error).toBe('invalid_redirect_uri');
    expect((await register(['http://evil.example.com/callback'])).body.error).toBe('invalid_redirect_uri');
  });

  it('can neither leave out the challenge nor weaken it', async () => {
    for (const [change, field] of [
      [{ code_challenge: '' }, 'code_challenge'],
      [{ code_challenge_method: 'plain' }, 'code_challenge_method'],
      [{ response_type: 'token' }, 'response_type'],
    ] as const) {
      expectRefusal(await decide((await begin(change)).asked), 400, 'validation_failed', field);
    }
    const { fields } = await granted();
    const { code_verifier: _, ...without } = fields;
    expect((await redeem(without as unknown as typeof fields)).body.error).toBe('invalid_request');
    const wrong = await redeem({ ...fields, code_verifier: randomBytes(32).toString('base64url') });
    expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await redeem(fields)).status).toBe(200);
  });

  it('who steals a code and uses it second ends the grant of the first', async () => {
    const { fields } = await granted();
    const { body } = await redeem(fields);
    expect(await mayCall(body.access_token)).toBe(200);
    expect((await redeem(fields)).body.error).toBe('invalid_grant');
    expect(await mayCall(body.access_token)).toBe(401);
  });

  it('who uses a code at the same time gets one pair of tokens at most, which then ends', async () => {
    for (let round = 0; round < 3; round++) {
      const { fields } = await granted();
      const all = await Promise.all(Array.from({ length: 6 }, () => redeem(fields)));
      const won = all.filter(({ status }) => status === 200);
      expect(won.length).toBe(1);
      for (const { body } of won) expect(await mayCall(body.access_token)).toBe(401);
    }
  });

  it('who replays a refresh token ends the grant', async () => {
    const { fields } = await granted();
    const { client_id } = fields;
    const { body: first } = await redeem(fields);
    const refresh = (refresh_token: string) => redeem({ grant_type: 'refresh_token', refresh_token, client_id });
    const { body: second } = await refresh(first.refresh_token);
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect(await mayCall(second.access_token)).toBe(401);
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('who refreshes at the same time as the application gets one pair at most', async () => {
    const { fields } = await granted();
    const { body } = await redeem(fields);
    const { client_id } = fields;
    const both = [1, 2, 3, 4].map(() =>
      redeem({ grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id }),
    );
    expect((await Promise.all(both)).filter(({ status }) => status === 200).length).toBe(1);
  });

  it("can't end the grant of another with a guess, nor use its code or token for another application", async () => {
    const { fields } = await granted();
    const other = (await register([CALLBACK], 'Other')).body.client_id as string;
    expect((await redeem({ ...fields, client_id: other })).body.error).toBe('invalid_grant');
    const { body } = await redeem(fields);
    const refresh = (refresh_token: string, client_id: string) =>
      redeem({ grant_type: 'refresh_token', refresh_token, client_id });
    const [id] = (body.refresh_token as string).split('.');
    const guess = `${id}.x12_${randomBytes(32).toString('base64url')}`;
    expect((await refresh(guess, fields.client_id)).body.error).toBe('invalid_grant');
    expect((await refresh(body.refresh_token, other)).body.error).toBe('invalid_grant');
    expect(await mayCall(body.access_token)).toBe(200);
  });

  it('gets no token for another resource, from another issuer or for another kind of grant', async () => {
    expectRefusal(
      await decide((await begin({ resource: 'https://other.example.com/mcp' })).asked),
      400,
      'validation_failed',
      'resource',
    );
    const { fields } = await granted();
    expect((await redeem({ ...fields, resource: 'https://other.example.com/' })).body.error).toBe('invalid_target');
    expect((await redeem({ ...fields, grant_type: 'password' })).body.error).toBe('unsupported_grant_type');
    const metadata = (await (await fetch(at('/.well-known/oauth-authorization-server'))).json()) as Body;
    expect(metadata).toMatchObject({ issuer: service.baseUrl, code_challenge_methods_supported: ['S256'] });
  });

  it.each([
    'https://169.254.169.254/latest/meta-data',
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://localhost/client.json',
  ])('reaches nothing inside by the metadata document at %s', async (client_id) => {
    const refused = await decide((await begin({ client_id })).asked);
    expectRefusal(refused, 400, 'validation_failed', 'client_id');
    expect(refused.body.message).toBe('client_id has no readable document');
  });

  it('with a token of few scopes grants no more than those', async () => {
    const json = { name: 'limited', scopes: ['account', 'read'] };
    const { token } = (await service.call('POST', '/v2/auth/tokens', { token: user.token, json })).body;
    const refused = await decide((await begin({ scope: 'generate' })).asked, true, { token });
    expect([refused.status, refused.body.code, refused.body.scope]).toEqual([403, 'insufficient_scope', 'generate']);
    expect((await decide((await begin({ scope: 'read' })).asked, true, { token })).status).toBe(201);
  });

  it("can't frame the page that asks", async () => {
    const page = await fetch(at('/console/authorize'));
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

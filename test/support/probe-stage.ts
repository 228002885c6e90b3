import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { Tokens } from '#identity';
import { systemClock } from '#kernel';
import { PostgresAccounts, PostgresTeams, PostgresTokens } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { someone } from '#testing/identity';
import type { ConnectionLimits } from '../../apps/api/src/http/connections.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { type ProbeApi, startProbeApi } from './probe-api.ts';

// Importing this file gives a suite a probe API, a workspace with two users, and ways to call it.

export let database: TestDatabase;
export let api: ProbeApi;
/** Token of the owner of a workspace. */
export let token: string;
/** Token of a member of the same workspace. */
export let memberToken: string;
const others: ProbeApi[] = [];

beforeAll(async () => {
  database = await createDatabase({ poolSize: 20 });
  api = await startProbeApi(database);
  const [owner, member] = [await newUser(), await newUser()];
  token = owner.token;
  memberToken = member.token;
  const teams = new PostgresTeams(database.database);
  const now = new Date();
  const workspaceId = await teams.open({ ownerUserId: owner.id, plan: 'enterprise', openedAt: now });
  await teams.join({ workspaceId, userId: member.id, role: 'member', addedBy: owner.id, joinedAt: now });
});

afterEach(async () => {
  for (const other of others.splice(0)) await other.app.close();
});

afterAll(async () => {
  await api?.app.close();
  await database?.drop();
});

export async function newUser(): Promise<{ id: number; token: string }> {
  const { user } = await new PostgresAccounts(database.database).open(someone());
  return { id: user.id, token: await newToken(user.id) };
}

export async function newToken(userId: number): Promise<string> {
  const tokens = new Tokens(new PostgresTokens(database.database), new RandomTokenSecrets(), systemClock);
  return (await tokens.create({ userId, name: 'test', expiresInDays: null, kind: 'api', parent: null })).secret;
}

/** Starts another API on the same database, until the end of the test. */
export async function startAnother(
  env: Readonly<Record<string, string>>,
  limits?: ConnectionLimits,
): Promise<ProbeApi> {
  const started = await startProbeApi(database, env, undefined, limits);
  others.push(started);
  return started;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface Sent {
  /** The token, or '' for none. */
  readonly as?: string;
  readonly headers?: Record<string, string>;
  readonly json?: object;
  readonly body?: RequestInit['body'];
  readonly on?: ProbeApi;
}

export async function call(method: string, path: string, sent: Sent = {}): Promise<Reply> {
  const { as = token, json, on = api, body = json && JSON.stringify(json) } = sent;
  const headers = {
    authorization: as && `Bearer ${as}`,
    ...(json ? { 'content-type': 'application/json' } : {}),
    ...sent.headers,
  };
  const response = await fetch(on.url + path, { method, headers, body, duplex: 'half' } as RequestInit);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

export const get = (path: string, sent?: Sent): Promise<Reply> => call('GET', path, sent);
export const post = (path: string, json: object, sent?: Sent): Promise<Reply> => call('POST', path, { json, ...sent });

export async function textOf(path: string): Promise<{ text: string; headers: Headers }> {
  const response = await fetch(api.url + path, { headers: { authorization: `Bearer ${token}` } });
  return { text: await response.text(), headers: response.headers };
}

export const bearer = () => ({ authorization: `Bearer ${token}` });

/** Sends exactly this path and these headers, which `fetch` would normalize. */
export function rawCall(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(api.url);
    const request = rawRequest({ hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: new Headers(response.headers as Record<string, string>),
          body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

interface Exchange {
  readonly status: number;
  readonly headers: string;
  readonly body: Record<string, unknown>;
}

/** Sends the text, then `drip` every 50 ms until the server closes the connection. */
export async function exchange(on: ProbeApi, text: string, drip = ''): Promise<Exchange> {
  const { hostname, port } = new URL(on.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let received = '';
  socket.on('data', (data) => (received += String(data))).on('error', () => undefined);
  socket.write(text);
  const dripping = setInterval(() => drip && socket.write(drip), 50);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(dripping);
  const [headers = '', body = ''] = received.split('\r\n\r\n');
  return { status: Number(headers.split(' ')[1]), headers, body: body === '' ? {} : JSON.parse(body) };
}

/** @tier test */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { objectStorage } from '#wiring';
import { storedKeys } from '#testing/files';
import { tokenIn } from '#testing/mail';
import { aPng } from '#testing/sources';
import { auditFindings } from '../support/audit.ts';
import type { TestRequest } from '../support/call-api.ts';
import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { mailTo } from '../support/mail-to.ts';
import type { TestUser } from '../support/service.ts';
import { join, newTeam, newUser, teamStoresOn, withToken, type TeamStores } from '../support/team-store.ts';
import { tracesOf } from '../support/traces-of.ts';
import { uploaded } from '../support/uploaded.ts';
import { useService } from '../support/use-service.ts';

const PLANS = JSON.stringify({
  free: { monthly_credits: 1000, teams: false },
  enterprise: { monthly_credits: 1000, teams: true },
});
const PASSWORD = 'a difference engine';

const service = useService({ PLANS, SECRET_KEY: Buffer.alloc(32, 'k').toString('base64') });
let store: TeamStores;
beforeAll(async () => {
  store = teamStoresOn(service.database.database);
});

const call = (method: string, path: string, token: string, request: TestRequest = {}) =>
  service.call(method, path, { token, ...request });
const erase = ({ token, email }: Pick<TestUser, 'token' | 'email'>, fields: object = {}) =>
  call('DELETE', '/v2/auth/me', token, { json: { email, password: PASSWORD, ...fields } });
const operate = (...command: string[]) => {
  const { data, database } = service.settings;
  return runCommand({ DATA_DIR: data.folder, DATABASE_URL: database.url!, LOG_LEVEL: 'silent' }, ...command);
};
const keys = () => storedKeys(service.api.app.get(objectStorage, { strict: false }));
const isErased = async (id: number) =>
  (await service.database.one('select from users where id = $1 and erased_at is not null', [id])) !== null;
const erased = (id: number) => eventually(() => isErased(id));

/** A person with a word that is in everything that names them. */
async function newPerson(word = `w${randomBytes(8).toString('hex')}`) {
  const email = `${word}@example.com`;
  const { body } = await service.call('POST', '/v2/auth/signup', { json: { email, password: PASSWORD, name: word } });
  return { id: body.user.id as number, email, password: PASSWORD, token: body.token as string, word };
}

type Person = Awaited<ReturnType<typeof newPerson>>;

const upload = (person: Person, filename = `${person.word}.png`) => uploaded(service, person, filename, aPng());

/** Leaves something of the person in every table and place. */
async function moveIn(person: Person) {
  const { token, word, email } = person;
  const post = async (path: string, json: object, headers = {}) => {
    const response = await call('POST', path, token, { json, headers });
    expect([path, Math.floor(response.status / 100), response.body]).toEqual([path, 2, expect.anything()]);
    return response;
  };
  const [picture, avatar] = [await upload(person), await upload(person)];
  await upload(person, `x12tmp-${word}.png`);
  await call('POST', '/v2/upload', token, { form: { filename: `unfinished-${word}.png` } });
  await call('PUT', '/v2/auth/me', token, { json: { avatar } });
  const { body: made } = await post('/v2/personas', { name: word, knows: word });
  const pid = made.persona.id as number;
  for (const slot of [1, 2, 3, 4, 7]) await post(`/v2/personas/${pid}/trains`, { photo: picture, slot });
  await post(`/v2/personas/${pid}/trainings`, { image: picture, info: word });
  const generate = { model: 'local-image', pid, prompt: word, width: 64, webhook: `https://hooks.example.com/${word}` };
  const { body: generation } = await post(
    '/v2/generate',
    { ...generate, style_transfer: 'none' },
    { 'idempotency-key': word },
  );
  const { body: style } = await post(`/v2/personas/${pid}/styles`, { model: 'local-style', name: word });
  const { body: board } = await post('/v2/boards', { name: word });
  const boardId = board.board.id as number;
  await post(`/v2/boards/${boardId}/media`, { url: picture, extras: JSON.stringify({ word }) });
  const { body: thrown } = await post('/v2/boards', { name: `trash ${word}` });
  await post(`/v2/boards/${thrown.board.id}/media`, { url: picture });
  await call('DELETE', `/v2/boards/${thrown.board.id}`, token);
  await post('/v2/auth/tokens', { name: word });
  await post('/v2/auth/email', { email: `new-${email}`, password: PASSWORD });
  await service.call('POST', '/v2/auth/password/forgot', { json: { email } });
  await service.call('POST', '/v2/auth/login', { json: { email, password: 'wrong' } });
  await post('/v2/auth/two_factor', { password: PASSWORD });
  await post('/v2/auth/export', {});
  for (const { generation_id: id } of [generation, style]) {
    await eventually(async () => (await call('GET', `/v2/generations/${id}`, token)).body.finished_at);
  }
  return { picture, avatar };
}

/** The person's address, and their name. */
const expectNoTraceOf = async ({ word }: Person) => {
  expect(await tracesOf(service.database, word)).toEqual([]);
};

describe('a person who is erased', () => {
  it('leaves nothing but the id: no row, no job, no object', async () => {
    const before = await keys();
    const person = await newPerson();
    const urls = await moveIn(person);
    expect((await tracesOf(service.database, person.word)).length).toBeGreaterThan(15);
    const response = await erase(person);
    expect([response.status, response.body]).toEqual([202, { status: true }]);
    expect(response.headers.get('set-cookie')).toMatch(/x12_session=;/);
    expect((await call('GET', '/v2/auth/me', person.token)).status).toBe(401);
    const logIn = await service.call('POST', '/v2/auth/login', { json: { email: person.email, password: PASSWORD } });
    expectRefusal(logIn, 401, 'unauthenticated', 'auth');
    await erased(person.id);
    await expectNoTraceOf(person);
    expect(await keys()).toEqual(before);
    for (const url of Object.values(urls)) expect((await fetch(url)).status).toBe(404);
    expect(await auditFindings(service.database.url)).toEqual([]);
    const entries = await service.database.query(
      'select action, user_id, address, target_name from audit_log where user_id = $1 order by id desc',
      [person.id],
    );
    expect(entries[0]).toEqual({ action: 'account.erase', user_id: person.id, address: null, target_name: null });
    expect(entries.length).toBeGreaterThan(3);
  });

  it('can sign up again with the same address, and sees nothing of before', async () => {
    const person = await newPerson();
    await upload(person);
    await erase(person);
    const again = await newPerson(person.word);
    expect(again.id).not.toBe(person.id);
    await erased(person.id);
    const { personas } = (await call('GET', '/v2/personas', again.token)).body;
    expect(personas).toEqual([expect.objectContaining({ name: 'Default' })]);
    expect((await call('GET', '/v2/boards', again.token)).body.boards).toEqual([]);
    expect((await call('GET', '/v2/auth/me', again.token)).body.user).toMatchObject({ name: again.word });
  });

  it('is erased once, by one of two requests', async () => {
    const person = await newPerson();
    const both = await Promise.all([erase(person), erase(person)]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 401]);
    await erased(person.id);
  });

  it('has to type the address and the password again', async () => {
    const person = await newPerson();
    expectRefusal(await erase(person, { email: 'other@example.com' }), 400, 'validation_failed', 'email');
    expectRefusal(await erase(person, { password: 'wrong' }), 400, 'validation_failed', 'password');
    expectRefusal(await erase(person, { password: undefined }), 400, 'validation_failed', 'password');
    const json = { name: 'narrow', scopes: ['read'] };
    const { body } = await call('POST', '/v2/auth/tokens', person.token, { json });
    const refused = await erase({ ...person, token: body.token.secret ?? body.token });
    expectRefusal(refused, 403, 'insufficient_scope', undefined, { scope: 'account' });
    expect((await call('GET', '/v2/auth/me', person.token)).status).toBe(200);
  });
});

describe('in a team', () => {
  it('the owner of one with other members has to transfer the ownership first', async () => {
    const team = await newTeam(store);
    await join(store, team, await newUser(store));
    const owner = await withToken(store, team.owner);
    await service.database.query(`update api_tokens set kind = 'log_in', created_at = now() where user_id = $1`, [
      owner.userId,
    ]);
    await service.database.query('update users set password_hash = null where id = $1', [owner.userId]);
    expectRefusal(await erase(owner), 409, 'transfer_ownership_first');
    expect((await call('GET', '/v2/auth/me', owner.token)).status).toBe(200);
  });

  it('a member is not named in its audit log, not by a former address that was invited either', async () => {
    const owner = await withToken(store, (await newTeam(store)).owner);
    const log = async () => JSON.stringify((await call('GET', '/v2/audit', owner.token)).body.entries);
    for (const act of ['accept', 'decline']) {
      const invited = `w${randomBytes(8).toString('hex')}`;
      const form = { email: `${invited}@example.com` };
      expect((await call('POST', '/v2/team/send_invitation', owner.token, { form })).status).toBe(201);
      const { id, email, word, token } = await newPerson(invited);
      const answer = { token: tokenIn(await mailTo(service, email)), act };
      expect((await call('POST', '/v2/team/respond_invitation', token, { form: answer })).status).toBe(200);
      expect(await log()).toContain(word);
      await service.database.query('update users set email = $1 where id = $2', [`changed-${email}`, id]);
      expect((await erase({ token, email: `changed-${email}` })).status).toBe(202);
      await erased(id);
      expect(await log()).not.toContain(word);
    }
  });

  it('a member leaves what they made, without their address or name', async () => {
    const team = await newTeam(store);
    const owner = await withToken(store, team.owner);
    const person = await newPerson();
    await join(store, team, { userId: person.id }, 'admin');
    await call('POST', '/v2/team/invitations', person.token, { json: { email: `guest-${person.email}` } });
    const shared = { model: 'local-image', width: 64 };
    const { body } = await call('POST', '/v2/generate', person.token, { json: shared });
    await call('POST', '/v2/auth/tokens', person.token, { json: { name: person.word } });
    await operate('tokens', 'create', person.email, `by an operator ${person.word}`);
    await eventually(
      async () => (await call('GET', `/v2/generations/${body.generation_id}`, owner.token)).body.finished_at,
    );
    expect((await erase(person)).status).toBe(202);
    const members = (await call('GET', '/v2/team/members', owner.token)).body.members;
    expect(members.map(({ user_id }: { user_id: number }) => user_id)).toEqual([owner.userId]);
    await erased(person.id);
    // Texts that they wrote to others are the team's; the invited address is not theirs.
    const traces = (await tracesOf(service.database, person.word)).filter((row) => !row.startsWith('invitations'));
    expect(traces).toEqual([]);
    expect((await call('GET', `/v2/generations/${body.generation_id}`, owner.token)).body.state).toBe('succeeded');
    const usage = (await call('GET', '/v2/team/usage', owner.token)).body.members;
    expect(usage).toContainEqual(expect.objectContaining({ user_id: person.id, email: null, role: null }));
    const { entries } = (await call('GET', '/v2/audit', owner.token)).body;
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'account.erase', actor: { user_id: person.id, email: null }, address: null }),
    );
    expect(await auditFindings(service.database.url)).toEqual([]);
  });
});

it('an operator erases a person on the command line', async () => {
  const person = await newPerson();
  const { code, out } = await operate('users', 'erase', person.email, '--json');
  expect([code, JSON.parse(out)]).toEqual([0, { id: person.id, state: 'requested' }]);
  await erased(person.id);
  await expectNoTraceOf(person);
});

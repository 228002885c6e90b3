/** @tier test, 15 s */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { generate } from 'otplib';
import { AUDIT_ACTIONS, type AuditAction } from '#audit-log';
import { registerClient } from '#identity';
import { tokenIn } from '#testing/mail';
import { runCommand } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { CONFIRMATION, mailTo } from '../support/mail-to.ts';
import { startService, type TestUser } from '../support/service.ts';
import type { TestRequest, TestResponse } from '../support/call-api.ts';
import { uploaded } from '../support/uploaded.ts';
import { untilTestEnds, usePictures, useService } from '../support/use-service.ts';
const SECRET_KEY = Buffer.alloc(32, 'k').toString('base64');
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const words = <Word extends string>(text: string) => text.trim().split(/\s+/) as Word[];
/** Make or change content, and lose nothing. */
const NO_LOSS = words(`
  boards.create boards.update boards.folders.create boards.folders.update boards.media.create boards.media.update
  boards.media.move boards.media.moveMany boards.media.order boards.notes.create boards.notes.update boards.media.retry boards.media.comments.create boards.media.comments.update
  boards.media.comments.resolve personas.create personas.update personas.slots.fill personas.styles.update
  personas.activeStyle.update personas.trainings.create personas.trainings.update presets.create presets.update
  shared.media.comments.create shared.media.comments.update searches.create searches.update library.update
  library.tagMany`);
/** Generations and uploads are not recorded. */
const MADE = words(`
  personas.styles.create batches.create batches.pause batches.resume batches.cancel batches.retry
  generations.create generations.cancel results.read provenance.check providers.webhook.receive uploads.create uploads.createMany`);

/** Entries of each other changing operation, or the reason why it records nothing. */
const RECORDED: Readonly<Record<string, readonly AuditAction[] | string>> = {
  'auth.signUp': ['account.create', 'account.sign_in'],
  'auth.logIn': ['account.sign_in'],
  'auth.session.create': ['account.sign_in'],
  'auth.session.delete': ['session.end'],
  'auth.sessions.delete': ['session.end'],
  'auth.sessions.deleteMany': ['session.end_others'],
  'auth.update': ['account.update'],
  'inbox.markRead': 'it changes what one person sees as read',
  'inbox.settings.update': 'it changes which mails one person gets',
  'auth.preferences.update': 'it changes settings of the clients of one person',
  'auth.delete': ['account.erase'],
  'auth.password.update': ['account.password_change'],
  'auth.passwordResets.create': ['account.password_reset_request'],
  'auth.passwordResets.confirm': ['account.take_over', 'account.password_change'],
  'auth.email.update': ['account.email_change_request'],
  'auth.email.confirm': ['account.email_confirm'],
  'auth.email.resend': 'it repeats a mail, and changes nothing',
  'auth.exports.create': ['account.export'],
  'auth.twoFactor.create': 'two-factor is not on before a code confirms it',
  'auth.twoFactor.confirm': ['account.two_factor_on'],
  'auth.twoFactor.recoveryCodes.rotate': ['account.recovery_codes_replace'],
  'auth.twoFactor.delete': ['account.two_factor_off'],
  'auth.oidc.create': 'it begins a sign-in at the issuer, which is recorded when the response signs in',
  'auth.identities.create': 'it begins a sign-in at the issuer, whose response links the identity',
  'auth.identities.delete': ['account.identity_unlink'],
  'auth.tokens.create': ['token.create'],
  'auth.tokens.revoke': ['token.revoke'],
  'auth.grants.check': 'it changes nothing',
  'auth.grants.create': ['grant.create'],
  'auth.grants.delete': ['grant.end'],
  'files.sign': 'it changes nothing',
  'workspace.update': ['workspace.files_change'],
  'workspace.fileKey.rotate': ['workspace.file_key_rotate'],
  'team.members.add': ['account.create', 'team.member_add'],
  'team.members.update': ['team.role_change'],
  'team.members.remove': ['team.member_remove'],
  'team.ownership.transfer': ['team.ownership_transfer'],
  'team.invitations.send': ['team.invite'],
  'team.invitations.revoke': ['team.invitation_revoke'],
  'team.invitations.read': 'it changes nothing',
  'team.invitations.mailed.read': 'it changes nothing',
  'team.invitations.respond': ['team.invitation_accept'],
  'webhooks.secret.rotate': ['webhook_secret.rotate'],
  'webhooks.deliveries.redeliver': 'it repeats a call, and changes nothing',
  'customers.update': ['customer.update'],
  'webhookEndpoints.create': ['webhook_endpoint.create'],
  'webhookEndpoints.update': ['webhook_endpoint.update'],
  'webhookEndpoints.secret.rotate': ['webhook_endpoint.rotate'],
  'webhookEndpoints.check': 'it sends a test, and changes nothing',
  'webhookEndpoints.redeliver': 'it repeats calls, and changes nothing',
  'webhookEndpoints.delete': ['webhook_endpoint.delete'],
  'boards.delete': ['board.delete'],
  'boards.folders.delete': ['folder.delete'],
  'boards.media.delete': ['media.delete'],
  'boards.media.deleteMany': ['media.delete'],
  'boards.notes.delete': 'a note is a text without a trash',
  'personas.delete': ['persona.delete'],
  'trash.restore': ['board.restore'],
  'trash.delete': ['folder.erase'],
  'boards.media.comments.delete': ['comment.delete'],
  'boards.media.decisions.create': ['media.decide'],
  'boards.media.decisions.close': ['media.close_request'],
  'personas.slots.empty': 'the picture stays among the files of the persona',
  'personas.styles.delete': ['style.delete'],
  'personas.trainings.delete': 'the picture stays among the files of the persona',
  'presets.delete': ['preset.delete'],
  'shares.create': ['share.create'],
  'shares.update': ['share.update'],
  'shares.delete': ['share.delete'],
  'shared.enter': 'guests have no account',
  'shared.review.finalize': 'it changes nothing: the makers are told',
  'shared.media.comments.delete': ['comment.delete'],
  'shared.media.decisions.create': ['media.decide'],
  'searches.delete': ['search.delete'],
  'downloads.create': ['download.create'],
  'library.delete': ['item.delete'],
  'library.deleteMany': ['item.delete'],
};

/** The actions of operators and of jobs, which no operation of the API records. */
const ELSEWHERE = words<AuditAction>(`
  account.sign_in_failed account.sign_in_link account.operator_change account.identity_link account.take_over
  team.create workspace.plan_change workspace.update workspace.suspend workspace.resume workspace.erase
  machine_token.create machine_token.revoke credits.grant provider.save provider.delete model.save model.delete
  model.try model.gone`);
/** Recorded by an operation above in another case. */
const VARIANTS = words<AuditAction>(`
  team.invitation_decline board.erase folder.restore media.restore media.erase item.restore item.erase
  persona.restore persona.erase`);

interface Entry {
  readonly action: AuditAction;
  readonly [field: string]: unknown;
}

const pictures = usePictures();
const service = useService(() => ({ SECRET_KEY, FETCH_ALLOWED_HOSTS: pictures.host }));
let operations: ReadonlyMap<string, { readonly method: string; readonly path: string }>;
const performed = new Set<string>();
beforeAll(async () => {
  const { paths } = (await service.call('GET', '/openapi.json')).body;
  operations = new Map(
    Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [operationId, { method: method.toUpperCase(), path }]),
    ),
  );
});

async function newActions(after: number): Promise<readonly AuditAction[]> {
  const rows = await service.database.query<{ action: AuditAction }>(
    'select action from audit_log where id > $1 order by id',
    [after],
  );
  return rows.map(({ action }) => action);
}
const lastId = async () =>
  (await service.database.query<{ id: number }>('select coalesce(max(id), 0)::int as id from audit_log'))[0]!.id;

/** Calls an operation, and expects the entries that the table says. */
async function perform(
  id: string,
  request: TestRequest & { readonly at?: Record<string, number | string> },
): Promise<TestResponse> {
  const { method, path } = operations.get(id)!;
  const before = await lastId();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(request.at?.[name]));
  const response = await service.call(method, filled, request);
  if (response.status >= 300) throw new Error(`${id}: ${response.status} ${JSON.stringify(response.body)}`);
  const expected = RECORDED[id] as readonly AuditAction[];
  await eventually(async () => (await newActions(before)).length >= expected.length);
  expect([id, await newActions(before)]).toEqual([id, expected]);
  performed.add(id);
  return response;
}

/** The request of an application that has this verifier. */
const anAuthorization = (verifier: string) => ({
  client_id: registerClient('Assistant', ['http://127.0.0.1/callback']).id,
  redirect_uri: 'http://127.0.0.1/callback',
  response_type: 'code',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  approve: true,
});

const entriesOf = async (token: string, query = ''): Promise<Entry[]> =>
  (await service.call('GET', `/v2/audit${query}`, { token })).body.entries;

async function cli(...args: string[]): Promise<void> {
  const { data, database } = service.settings;
  const settings = { DATA_DIR: data.folder, DATABASE_URL: database.url!, LOG_LEVEL: 'silent', SECRET_KEY };
  const { code, complaints } = await runCommand(settings, ...args, '--json');
  if (code !== 0) throw new Error(complaints);
}
const workspaceOf = async ({ token }: Pick<TestUser, 'token'>) =>
  (await service.call('GET', '/v2/auth/me', { token })).body.workspace.id as number;

const password = 'correct horse battery staple';

async function performOfAccount(): Promise<void> {
  const email = 'ada@example.com';
  const { token } = (await perform('auth.signUp', { json: { email, password } })).body;
  await perform('auth.update', { token, json: { name: 'Ada' } });
  await perform('auth.password.update', { token, json: { current: password, password: `${password}!` } });
  const other = (await perform('auth.logIn', { json: { email, password: `${password}!` } })).body;
  await perform('auth.sessions.deleteMany', { token });
  await perform('auth.exports.create', { token });
  expect((await service.call('GET', '/v2/auth/me', { token: other.token })).status).toBe(401);
  const api = (await perform('auth.tokens.create', { token, json: { name: 'CI' } })).body;
  await perform('auth.tokens.revoke', { token, at: { id: api.id } });
  const grant = (await perform('auth.grants.create', { token, json: anAuthorization('v'.repeat(43)) })).body;
  const granted = new URL(grant.redirect_to as string).searchParams.get('code');
  const { client_id, redirect_uri } = anAuthorization('v'.repeat(43));
  const redemption = {
    code: granted,
    client_id,
    redirect_uri,
    code_verifier: 'v'.repeat(43),
    grant_type: 'authorization_code',
  };
  expect((await service.call('POST', '/oauth/token', { json: redemption })).status).toBe(200);
  const [{ id: grantId }] = (await service.call('GET', '/v2/auth/grants', { token })).body.grants;
  await perform('auth.grants.delete', { token, at: { id: grantId } });
  const headers = { origin: service.baseUrl };
  await perform('auth.session.create', { headers, json: { email, password: `${password}!` } });
  const { sessions } = (await service.call('GET', '/v2/auth/sessions', { token })).body;
  const { id } = sessions.find(({ is_current: isCurrent }: { is_current: boolean }) => !isCurrent);
  await perform('auth.sessions.delete', { token, at: { id } });
  const { secret } = (await service.call('POST', '/v2/auth/two_factor', { token, json: { password: `${password}!` } }))
    .body;
  const confirmed = await perform('auth.twoFactor.confirm', { token, json: { code: await generate({ secret }) } });
  const [first, second] = confirmed.body.recovery_codes;
  const proof = { password: `${password}!`, code: first };
  const renewed = await perform('auth.twoFactor.recoveryCodes.rotate', { token, json: proof });
  expect(second).not.toBe(renewed.body.recovery_codes[0]);
  const code = renewed.body.recovery_codes[0];
  await perform('auth.twoFactor.delete', { token, json: { password: `${password}!`, code } });
  const changed = { email: 'new-ada@example.com', password: `${password}!` };
  await perform('auth.email.update', { token, json: changed });
  await perform('auth.email.confirm', { json: { token: tokenIn(await mailTo(service, changed.email, CONFIRMATION)) } });
  const [identity] = await service.database.query<{ id: number }>(
    `insert into identities (user_id, issuer, subject, email, created_at)
     select id, 'https://issuer.example', 'ada', email, now() from users where email = $1 returning id`,
    [changed.email],
  );
  await perform('auth.identities.delete', { token, at: { id: identity!.id } });
  await perform('auth.session.delete', { token });
  const lost = await service.signUp();
  await perform('auth.passwordResets.create', { json: { email: lost.email } });
  const mailed = tokenIn(await mailTo(service, lost.email));
  await perform('auth.passwordResets.confirm', { json: { token: mailed, password } });
  const gone = await service.signUp();
  await perform('auth.delete', { token: gone.token, json: { email: gone.email, password: gone.password } });
}

async function performOfTeam({ email, token }: TestUser): Promise<void> {
  await cli('teams', 'create', email);
  const add = { email: 'member@example.com', password, role: 'member' };
  const { member } = (await perform('team.members.add', { token, json: add })).body;
  await perform('team.members.update', { token, at: { user_id: member.user_id }, json: { role: 'admin' } });
  await perform('team.members.remove', { token, at: { user_id: member.user_id } });
  const invite = (to: string) => perform('team.invitations.send', { token, json: { email: to } });
  const { invitation } = (await invite('never@example.com')).body;
  await perform('team.invitations.revoke', { token, at: { id: invitation.id } });
  await invite('heir@example.com');
  const mailed = tokenIn(await mailTo(service, 'heir@example.com'));
  const json = { email: 'heir@example.com', password };
  const heir = (await service.call('POST', '/v2/auth/signup', { json })).body;
  await perform('team.invitations.respond', { token: heir.token, json: { token: mailed, act: 'accept' } });
  await perform('webhooks.secret.rotate', { token });
  await perform('workspace.update', { token, json: { files: 'private' } });
  await perform('workspace.fileKey.rotate', { token });
  await perform('customers.update', { token, at: { customer: 'user-1' }, json: { monthly_credits: 20 } });
  const url = 'https://example.com/events';
  const { id } = (await perform('webhookEndpoints.create', { token, json: { url } })).body.webhook_endpoint;
  await perform('webhookEndpoints.update', { token, at: { id }, json: { active: false } });
  await perform('webhookEndpoints.secret.rotate', { token, at: { id } });
  await perform('webhookEndpoints.delete', { token, at: { id } });
  await perform('team.ownership.transfer', { token, json: { user_id: heir.user.id } });
}

/** @returns the id of a picture in the library */
async function newItem(token: string): Promise<number> {
  await uploaded(service, { token }, 'a.png', Buffer.from(PIXEL, 'base64'));
  return (await service.call('GET', '/v2/library', { token })).body.items[0].file_id;
}

async function performOfShares(token: string): Promise<void> {
  const post = async (path: string, json: object) => (await service.call('POST', path, { token, json })).body;
  const { board } = await post('/v2/boards', { name: 'Moods' });
  const { url } = (await service.call('GET', '/v2/library', { token })).body.items[0];
  const { media } = await post(`/v2/boards/${board.id}/media`, { url });
  await eventually(async () => {
    const { body } = await service.call('GET', `/v2/boards/${board.id}`, { token });
    return body.board.media[0].state === 'processed';
  });
  const json = { board_id: board.id, allow: ['comment', 'decide'] };
  const { share } = (await perform('shares.create', { token, json })).body;
  await perform('shares.update', { token, at: { id: share.id }, json: { name: 'Best moods' } });
  const secret = share.url.split('/').pop();
  const entered = await service.call('POST', `/v2/shared/${secret}/enter`, { json: { name: 'Grace' } });
  const headers = { cookie: entered.headers.get('set-cookie')!.split(';')[0]! };
  const commented = { json: { text: 'warmer' }, headers };
  const { comment } = (await service.call('POST', `/v2/shared/${secret}/media/${media.id}/comments`, commented)).body;
  const at = { token: secret, id: media.id, comment_id: comment.id };
  await perform('shared.media.comments.delete', { at, headers });
  await perform('shared.media.decisions.create', { at, headers, json: { decision: 'approved' } });
  const { entries } = (await service.call('GET', '/v2/audit?limit=1', { token })).body;
  expect(entries).toMatchObject([{ actor: 'system', details: { decision: 'approved', guest: true } }]);
  expect(JSON.stringify(entries)).not.toContain('Grace');
  await perform('shares.delete', { token, at: { id: share.id } });
}

async function performOfContent({ token }: TestUser): Promise<void> {
  const post = async (path: string, json: object) => (await service.call('POST', path, { token, json })).body;
  const { board } = await post('/v2/boards', { name: '=cmd()' });
  const on = `/v2/boards/${board.id}`;
  const { folder } = await post(`${on}/folders`, { name: 'Sketches' });
  const media = [];
  for (const name of ['a', 'b'])
    media.push((await post(`${on}/media`, { url: `https://example.com/${name}.png` })).media);
  const at = { board_id: board.id, id: board.id, folder_id: folder.id, media_id: media[0].id };
  const atItem = { ...at, id: media[0].id };
  const { comment } = await post(`${on}/media/${media[0].id}/comments`, { text: 'warmer' });
  await perform('boards.media.comments.delete', { token, at: { ...atItem, comment_id: comment.id } });
  await perform('boards.media.decisions.create', { token, at: atItem, json: { decision: 'changes_requested' } });
  await perform('boards.media.decisions.close', { token, at: atItem });
  await perform('boards.media.delete', { token, at: atItem });
  await perform('boards.media.deleteMany', { token, at, json: { ids: [media[1].id] } });
  await perform('boards.folders.delete', { token, at });
  await perform('boards.delete', { token, at });
  const { trash } = (await service.call('GET', '/v2/trash', { token })).body;
  const entry = (kind: string) => trash.find((each: { kind: string }) => each.kind === kind).id;
  await perform('trash.restore', { token, at: { id: entry('board') } });
  await perform('trash.delete', { token, at: { id: entry('folder') } });
  const { preset } = await post('/v2/presets', { name: 'Owls', model: 'local-image' });
  await perform('presets.delete', { token, at: { id: preset.id } });
  const { search } = await post('/v2/searches', { name: 'Owls', q: 'owl' });
  await perform('searches.delete', { token, at: { id: search.id } });
  const [one, two] = [await newItem(token), await newItem(token)];
  await performOfShares(token);
  await perform('downloads.create', { token, json: { file_ids: [one, two] } });
  await perform('library.delete', { token, at: { file_id: one } });
  await perform('library.deleteMany', { token, json: { file_ids: [two] } });
  const { persona } = await post('/v2/personas', { name: 'Muse' });
  const of = `/v2/personas/${persona.id}`;
  for (const slot of [1, 2, 3]) await post(`${of}/trains`, { photo: pictures.url(`${slot}.png`), slot });
  const { style } = await post(`${of}/styles`, { model: 'local-style' });
  const atPersona = { persona_id: persona.id, style_id: style.id, id: persona.id };
  await perform('personas.styles.delete', { token, at: { ...atPersona, id: style.id } });
  await perform('personas.delete', { token, at: atPersona });
}

describe('the audit log', () => {
  it('says of each changing operation what it records, or why nothing', () => {
    const changing = [...operations].filter(([, { method }]) => method !== 'GET').map(([id]) => id);
    expect([...Object.keys(RECORDED), ...NO_LOSS, ...MADE].sort()).toEqual(changing.sort());
    const recorded = new Set([...Object.values(RECORDED).flat(), ...ELSEWHERE, ...VARIANTS]);
    expect(AUDIT_ACTIONS.filter((action) => !recorded.has(action))).toEqual([]);
  });

  it('records each of them', async () => {
    const user = await service.signUp();
    await performOfAccount();
    await performOfContent(await service.signUp());
    await performOfTeam(user);
    const all = Object.entries(RECORDED).filter(([, actions]) => typeof actions !== 'string');
    expect([...performed].sort()).toEqual(all.map(([id]) => id).sort());
  });

  it('records what operators do, and failed sign-ins of accounts', async () => {
    const user = await service.signUp();
    const { token, email } = user;
    await cli('plans', 'set', String(await workspaceOf(user)), 'pro');
    await cli('credits', 'grant', String(await workspaceOf(user)), '5', '--reason', 'thanks');
    await cli('users', 'sign-in-link', email);
    await cli('users', 'operator', email);
    for (const address of [email, 'nobody@example.com']) {
      const json = { email: address, password: 'wrong' };
      expect((await service.call('POST', '/v2/auth/login', { json })).status).toBe(401);
    }
    const entries = await eventually(async () => {
      const found = await entriesOf(token);
      return found[0]!.action === 'account.sign_in_failed' && found;
    });
    const operator = { actor: 'operator', via: 'cli', address: null, request_id: null };
    expect(entries.slice(0, 5)).toEqual([
      expect.objectContaining({
        actor: { user_id: user.id, email },
        via: null,
        action: 'account.sign_in_failed',
        details: { by: 'password' },
        address: expect.stringMatching(/127\.0\.0\.1|::1/),
        request_id: expect.any(String),
      }),
      expect.objectContaining({
        ...operator,
        action: 'account.operator_change',
        details: { operator: true, by: 'cli' },
      }),
      expect.objectContaining({ ...operator, action: 'account.sign_in_link' }),
      expect.objectContaining({ ...operator, action: 'credits.grant', details: { amount: 5 } }),
      expect.objectContaining({ ...operator, action: 'workspace.plan_change', details: { from: 'free', to: 'pro' } }),
    ]);
  });

  it('is read by admins in pages or as CSV, with filters, and not by members', async () => {
    const user = await service.signUp();
    const { token } = user;
    const create = (name: string) => service.call('POST', '/v2/auth/tokens', { token, json: { name } });
    for (const name of ['one', '=two()']) await create(name);
    const created = await entriesOf(token, `?action=token.create&actor=${user.id}`);
    expect(created).toMatchObject([
      { via: 'session', target: { type: 'token', name: '=two()' }, details: { expires: null, scopes: null } },
      { target: { name: 'one' } },
    ]);
    const page = (await service.call('GET', '/v2/audit?limit=1', { token })).body;
    const next = (await service.call('GET', `/v2/audit?limit=1&cursor=${page.next_cursor}`, { token })).body;
    expect([...page.entries, ...next.entries]).toEqual(created);
    const csv = await service.call('GET', '/v2/audit?action=token.create', { token, headers: { accept: 'text/csv' } });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.body.split('\r\n')).toHaveLength(4);
    for (const target of ['board', 'cat:1']) {
      const refused = await service.call('GET', `/v2/audit?target=${target}`, { token });
      expectRefusal(refused, 400, 'validation_failed', 'target');
    }
    await cli('teams', 'create', user.email);
    const json = { email: 'plain@example.com', password, role: 'member' };
    await service.call('POST', '/v2/team/members', { token, json });
    const member = (await service.call('POST', '/v2/auth/login', { json: { email: json.email, password } })).body;
    expectRefusal(await service.call('GET', '/v2/audit', { token: member.token }), 403, 'forbidden');
  });
});

it('is kept by the worker for AUDIT_DAYS, and no longer', async () => {
  const kept = untilTestEnds(await startService({ AUDIT_DAYS: '2' }, { worker: false }));
  const { token } = await kept.signUp();
  const actions = async () =>
    (await kept.call('GET', '/v2/audit', { token })).body.entries.map(({ action }: Entry) => action);
  expect(await actions()).toEqual(['account.sign_in', 'account.create']);
  const minutes = `case action when 'account.create' then 2881 else 2870 end`;
  await kept.database.query(`update audit_log set at = now() - ${minutes} * interval '1 minute'`);
  await kept.startWorker();
  await eventually(async () => (await actions()).length === 1);
  expect(await actions()).toEqual(['account.sign_in']);
});

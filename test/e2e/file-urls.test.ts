/**
 * @tier test, 20 s
 * @jest-environment-options {"isolated": true}
 */
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp from 'sharp';
import { systemClock } from '#kernel';
import { tokenIn } from '#testing/mail';
import type { TestResponse } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { CONFIRMATION, mailsTo, mailTo } from '../support/mail-to.ts';
import { uploaded } from '../support/uploaded.ts';
import { operationsOf, UrlCrawl, type Operation } from '../support/url-crawl.ts';
import { prepared, useFile, usePictures, useService } from '../support/use-service.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

// Only over HTTP can be seen that nothing gives out a URL of a private file that is not signed.

type Json = TestResponse['body'];

const ADMIN_TOKEN = 'operator-token-of-the-crawl-0123456789';
const DAY_MS = 86_400_000;
const SMALL = { width: 64, height: 64 };

/** Operations that are not called, though a URL may be in their response. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  'auth.oidc.start': 'without an issuer it is refused; its URL is of the issuer',
  'auth.oidc.create': 'without an issuer it is refused; its URL is of the issuer',
  'auth.twoFactor.create': 'its URL is for authenticators',
  'auth.identities.create': 'without an issuer it is refused; its URL is of the issuer',
  'shared.media.play': 'it sends the bytes of a video',
  'operators.models.propose': 'it reads the schema of a vendor: no files of workspaces',
  'operators.models.update': 'it changes the catalogue: no files of workspaces',
  'operators.providers.update': 'its URL is the address of a vendor',
  'operators.trials.create': 'outputs of trials are in no workspace, and only for operators',
  'operators.trials.get': 'outputs of trials are in no workspace, and only for operators',
  'operators.trials.download': 'outputs of trials are in no workspace, and only for operators',
};

const OF_THE_CUSTOMER = 'its URL is the address of a webhook';
/** Operations that declare a URL, which is none of a file. */
const WITHOUT_FILES: Readonly<Record<string, string>> = {
  'auth.signUp': 'a new user has no avatar',
  'boards.media.retry': 'an item that failed has no files',
  'personas.create': 'a new persona has no pictures',
  'shares.create': 'its URL is that of the link',
  'downloads.create': 'its URL is that of the zip',
  'webhooks.deliveries.list': OF_THE_CUSTOMER,
  'webhooks.deliveries.redeliver': OF_THE_CUSTOMER,
  'webhookEndpoints.list': OF_THE_CUSTOMER,
  'webhookEndpoints.create': OF_THE_CUSTOMER,
  'webhookEndpoints.get': OF_THE_CUSTOMER,
  'webhookEndpoints.update': OF_THE_CUSTOMER,
  'webhookEndpoints.secret.rotate': OF_THE_CUSTOMER,
};

/** Takes the bytes of an upload. */
const FIELDS_WITHOUT_FILES = ['signed_url'];
/** Other places that have URLs of files. */
const OTHERS = ['webhooks of calls', 'webhooks of endpoints', 'generations.follow', 'events.list', 'events.follow'];

/** Takes every kind of input; is never called. */
const collage = {
  ...{ id: 'collage', kind: 'image', provider: 'replicate', target: 'owner/collage', cost: 3 },
  inputs: { image: 'optional', references: 'optional', max_references: 5, mask: 'optional', control: 'optional' },
  mapping: { image: '{image}', images: '{references}', mask: '{mask}', control: '{control}' },
};

const receiver = prepared(startWebhookReceiver);
const pictures = usePictures();
const logFile = join(mkdtempSync(join(tmpdir(), 'x12-log-')), 'log');
/** Lines of the API and the worker, which write to the standard output. */
const log = openSync(logFile, 'w');
Object.defineProperty(process.stdout, 'fd', { value: log, configurable: true });
const modelsFile = useFile('models.json', JSON.stringify({ models: [collage] }));
const service = useService(() => ({
  ADMIN_TOKEN,
  FETCH_ALLOWED_HOSTS: `${receiver.host},${pictures.host}`,
  LOG_LEVEL: 'debug',
  MODELS_FILE: modelsFile,
  REPLICATE_API_TOKEN: 'r8_of_a_test',
  STYLE_PREVIEWS: 'true',
  PLANS: '{"free":{"monthly_credits":1000,"teams":true}}',
}));
afterAll(() => {
  delete (process.stdout as { fd?: number }).fd;
  closeSync(log);
});

let operations: readonly Operation[];
beforeAll(async () => {
  const documents = ['/openapi.json', '/admin/openapi.json'].map(
    async (path) => (await service.call('GET', path)).body,
  );
  operations = (await Promise.all(documents)).flatMap(operationsOf);
});

const png = (width: number) =>
  sharp({ create: { width, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

const unsigned = (url: string) => url.replace(/\?.*/, '');
const expiring = (url: string, expires: string) => {
  const changed = new URL(url);
  changed.searchParams.set('expires', expires);
  return changed.href;
};
const statusOf = async (url: string) => {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
};

/** A workspace, and ids of what is in it, by the names that paths have for them. */
interface Workspace {
  readonly crawl: UrlCrawl;
  readonly user: Awaited<ReturnType<typeof service.signUp>>;
  readonly ids: Record<string, number>;
  readonly call: UrlCrawl['call'];
  readonly one: string;
  readonly two: string;
  guestPath: string;
}

async function workspaceWith(files: 'public' | 'private'): Promise<Workspace> {
  const user = await service.signUp();
  const crawl = new UrlCrawl(service, operations, user.token);
  const call = crawl.call.bind(crawl);
  const team = { name: 'Team', plan: 'free', email: user.email };
  await call('POST', '/admin/api/workspaces', team, { token: ADMIN_TOKEN });
  await call('PUT', '/v2/workspace', { files });
  const workspaces = (await call('GET', '/v2/auth/me')).workspace.id;
  const persona_id = (await call('POST', '/v2/personas', { name: 'Ada' })).persona.id;
  const upload = async (width: number) => uploaded(service, user, `${width}.png`, await png(width), persona_id);
  const [one, two] = [await upload(40), await upload(50)];
  await haveThumbnails(call);
  return { crawl, user, ids: { workspaces, persona_id }, call, one, two, guestPath: '' };
}

const until = (probe: () => Promise<boolean>) => eventually(probe);

/** Waits until all pictures of the library have been looked at: an item of a board then has its URL at once. */
const haveThumbnails = (call: UrlCrawl['call']) =>
  until(async () => (await call('GET', '/v2/library')).items.every((item: Json) => item.thumbnails.length > 0));

async function useAccount({ call, user, one }: Workspace): Promise<void> {
  await call('PUT', '/v2/auth/me', { avatar: one });
  const [email, password] = [`new-${user.email}`, `new-${user.password}`];
  await call('PUT', '/v2/auth/password', { current: user.password, password });
  await call('POST', '/v2/auth/email', { email, password });
  await call('POST', '/v2/auth/email/confirm', { token: tokenIn(await mailTo(service, email, CONFIRMATION)) });
  await call('POST', '/v2/auth/login', { email, password });
  await call('POST', '/v2/auth/session', { email, password }, { headers: { origin: service.baseUrl } });
  await call('POST', '/v2/auth/signup', { email: `other-${user.email}`, password });
  await call('POST', '/v2/team/send_invitation', { email: `guest-${user.email}` });
}

async function useUploads({ call, ids }: Workspace): Promise<void> {
  const ticket = await call('POST', '/v2/upload', { filename: 'three.png', pid: ids['persona_id'] });
  const { uploads } = await call('POST', '/v2/uploads', { files: [{ filename: 'four.png', pid: ids['persona_id'] }] });
  for (const { signed_url, final_url, headers } of [ticket, ...uploads]) {
    await fetch(signed_url, { method: 'PUT', body: new Uint8Array(await png(60)), headers });
    expect(await statusOf(signed_url)).not.toBe(200);
    await call('GET', `/v2/finalize_upload?url=${encodeURIComponent(final_url)}`);
  }
}

async function useModels({ call, crawl, ids, one, two }: Workspace): Promise<void> {
  const persona = `/v2/personas/${ids['persona_id']}`;
  for (const [slot, photo] of [one, two, one].entries())
    await call('POST', `${persona}/trains`, { photo, slot: slot + 1 });
  const like = await call('POST', `${persona}/trainings`, { image: two });
  ids['training_id'] = like.training_id;
  await call('PUT', `${persona}/trainings/${ids['training_id']}`, { image: one });
  await call('PUT', persona, { name: 'Bea' });
  const { style } = await call('POST', `${persona}/styles`, { model: 'local-style', name: 'Oils' });
  ids['style_id'] = style.id;
  const preset = { name: 'Fox', model: 'local-image', style_transfer: one };
  ids['presets'] = (await call('POST', '/v2/presets', preset)).preset.id;
  await call('PUT', `/v2/presets/${ids['presets']}`, preset);
  const model = { model: 'local-image', image: two, style_transfer: one, pid: ids['persona_id'], ...SMALL };
  const webhook = `${receiver.url}/${ids['persona_id']}`;
  ids['generations'] = (await call('POST', '/v2/generate', { ...model, prompt: 'a fox', webhook })).generation_id;
  const inputs = { image: one, mask_image: two, control_image: one, extra_image_1: two, dry_run: true };
  await call('POST', '/v2/generate', { model: 'collage', prompt: 'a fox', ...inputs });
  await call('POST', '/v2/generate', { model: 'local-video', prompt: 'a fox', image: one, dry_run: true });
  const row = { model: 'local-image', prompt: 'a hare', image: one, ...SMALL };
  ids['batches'] = (await call('POST', '/v2/batches', { name: 'Hares', rows: [row], webhook })).batch.id;
  await until(async () => (await call('GET', `/v2/generations/${ids['generations']}`)).finished_at !== null);
  const parent = { generation_id: ids['generations'], output: 0 };
  await call('POST', '/v2/generate', { ...model, prompt: 'a cub', parent, wait: 60 });
  await call('POST', '/v2/results', { processing_url: `gen_${ids['generations']}` });
  await until(async () => {
    const { generation_id } = await call('POST', '/v2/generate', {
      ...model,
      prompt: 'a wolf',
      width: 1024,
      height: 1024,
    });
    // One that has already ended is not canceled.
    return call('POST', `/v2/generations/${generation_id}/cancel`).then(
      () => true,
      () => false,
    );
  });
  await until(async () => (await call('GET', `/v2/batches/${ids['batches']}`)).batch.state === 'ended');
  await until(async () => (await call('GET', `${persona}/styles/${style.id}`)).style.preview !== null);
  await call('PUT', `${persona}/styles/${style.id}`, { name: 'Warm oils' });
  await call('PUT', `${persona}/active_style`, { style_id: style.id });
  await crawl.follow(`/v2/generations/${ids['generations']}/events`, ({ name }) => name === 'done');
  await crawl.follow(`/v2/batches/${ids['batches']}/events`, () => true);
}

async function useBoard({ call, crawl, ids, one, two }: Workspace): Promise<void> {
  const { board } = await call('POST', '/boards', { name: 'Board' });
  const on = `/boards/${(ids['board_id'] = ids['boards'] = board.id)}`;
  ids['folders'] = (await call('POST', `${on}/folders`, { name: 'Folder' })).folder.id;
  const add = async (json: object) => (await call('POST', `${on}/media`, json)).media.id;
  const first = await add({ url: one, folder_id: ids['folders'] });
  const missing = await add({ url: pictures.url('missing'), control_image: two });
  const stateOf = async (id: number) =>
    (await call('GET', `${on}/media`)).media.find((each: Json) => each.id === id)?.state;
  await until(async () => (await stateOf(missing)) === 'failed');
  await call('POST', `${on}/media/${missing}/retry`);
  await until(async () => (await stateOf(first)) === 'processed');
  ids['media'] = await add({ url: two, control_image: one, replaces: first });
  await until(async () => (await stateOf(ids['media']!)) === 'processed');
  await call('PUT', `${on}/media/${ids['media']}`, { name: 'Fox' });
  await call('PUT', `${on}/media/${ids['media']}/move`, { folder_id: ids['folders'] });
  await crawl.follow(`${on}/events`, () => true);
}

/** A guest's review of the board, of which the inbox and a mail tell. */
async function useLink(workspace: Workspace): Promise<void> {
  const { call, crawl, ids, user } = workspace;
  const allow = ['download', 'comment', 'decide'];
  const { share } = await call('POST', '/v2/shares', { board_id: ids['board_id'], allow });
  ids['shares'] = share.id;
  const path = (workspace.guestPath = `/v2/shared/${new URL(share.url).pathname.replace('/s/', '')}`);
  const entered = await service.call('POST', `${path}/enter`, { json: { name: 'Gus' } });
  crawl.note('shared.enter', entered.body);
  const headers = { cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '', authorization: '' };
  const asGuest = (method: string, below: string, json?: object) => call(method, path + below, json, { headers });
  await asGuest('PUT', `/media/${ids['media']}/decision`, { decision: 'changes_requested', text: 'warmer' });
  await asGuest('POST', `/media/${ids['media']}/comments`, { text: 'and larger' });
  await asGuest('POST', '/done');
  await crawl.text(share.url);
  await crawl.unzip(`${path}/zip`);
  await mailTo(service, `new-${user.email}`, 'warmer');
}

async function useLibrary({ call, crawl, ids, user }: Workspace): Promise<void> {
  await haveThumbnails(call);
  const { items } = await call('GET', '/v2/library');
  ids['file_id'] = items[0].file_id;
  await call('PUT', `/v2/library/${ids['file_id']}`, { rating: 5, tags: ['fox'] });
  const sizes = [{}, { w: 100, fm: 'webp' }, { label: true }];
  for (const size of sizes)
    await call('POST', '/v2/files/sign', { file_ids: [ids['file_id']], expires_in: 3_600, ...size });
  await call('POST', '/v2/provenance/check', { url: items[0].url });
  const download = async (json: object) => crawl.unzip((await call('POST', '/v2/downloads', json)).url);
  for (const label of [null, true]) await download({ file_ids: items.map((item: Json) => item.file_id), label });
  await download({ board_id: ids['board_id'] });
  const exported = (await call('POST', '/v2/auth/export')).export.id;
  await until(async () => (await call('GET', `/v2/auth/exports/${exported}`)).export.state === 'ready');
  await crawl.unzip(`/v2/auth/exports/${exported}/zip`);
  ids['exports'] = exported;
  await mailTo(service, `new-${user.email}`, 'export');
}

async function useEndpoint({ call, ids }: Workspace): Promise<void> {
  const url = `${receiver.url}/${ids['persona_id']}/events`;
  const { webhook_endpoint } = await call('POST', '/v2/webhook_endpoints', { url, types: ['*'] });
  const at = `/v2/webhook_endpoints/${(ids['webhook_endpoints'] = webhook_endpoint.id)}`;
  await call('PUT', at, { description: 'all' });
  await call('POST', `${at}/secret`);
  await call('POST', `${at}/test`);
}

/** Waits for all events, in the stream and at the endpoint, whose attempts are repeated. */
async function readEvents({ call, crawl, ids }: Workspace): Promise<void> {
  const { events } = await call('GET', '/v2/events?limit=200');
  const at = `/v2/webhook_endpoints/${ids['webhook_endpoints']}`;
  await call('POST', `${at}/redeliver`, { event_ids: events.map(({ id }: Json) => id) });
  await crawl.follow('/v2/events/stream?after=0', ({ id }) => id === events.at(-1).number);
  const of = (path: string) => receiver.calls.filter((each) => each.path === `/${ids['persona_id']}${path}`);
  await eventually(() => events.every(({ id }: Json) => of('/events').some(({ body }) => body.includes(id))));
  await eventually(() => of('').length >= 2);
  crawl.note(
    'webhooks of endpoints',
    of('/events').map(({ headers, body }) => [headers, JSON.parse(body)]),
  );
  crawl.note(
    'webhooks of calls',
    of('').map(({ headers, body }) => [headers, JSON.parse(body)]),
  );
  const { deliveries } = await call('GET', '/v2/webhooks/deliveries');
  ids['deliveries'] = deliveries[0].id;
  await call('POST', `/v2/webhooks/deliveries/${ids['deliveries']}/redeliver`);
}

async function beRefused({ crawl, ids, one }: Workspace): Promise<void> {
  const foreign = one.replace('/40.png', '/41.png');
  await crawl.refused('POST', `/v2/personas/${ids['persona_id']}/trains`, { photo: foreign, slot: 1 });
  await crawl.refused('POST', '/v2/generate', { model: 'local-image', prompt: 'a fox', image: foreign, ...SMALL });
  await crawl.refused('POST', '/v2/generate', { model: 'local-image', prompt: 'a fox', mask_image: one, ...SMALL });
  await crawl.refused('GET', `/v2/finalize_upload?url=${encodeURIComponent(foreign)}`);
  await crawl.refused('POST', `/boards/${ids['board_id']}/media`, { url: one, folder_id: 999_999 });
  await crawl.refused('PUT', '/v2/auth/me', { avatar: foreign });
}

/** Reads everything that can be read as JSON or CSV, the metrics and the mails. */
async function readEverything({ crawl, ids, user, guestPath, one }: Workspace): Promise<void> {
  const queries: Readonly<Record<string, string>> = {
    'results.get': `?processing_url=gen_${ids['generations']}`,
    'library.thumbnails.list': `?urls=${encodeURIComponent(one)}`,
    'uploads.finalize': `?url=${encodeURIComponent(one)}`,
  };
  for (const { id, path, types } of operations.filter((each) => each.method === 'GET' && !(each.id in NOT_CALLED))) {
    const named = path.replace('/v2/shared/{token}', guestPath).replace('/models/{id}', '/models/local-image');
    const to = named.replace(/(\w+)\/\{(\w+)\}/g, (_, resource, name) => `${resource}/${ids[name] ?? ids[resource]}`);
    const token = path.startsWith('/admin/') ? ADMIN_TOKEN : user.token;
    for (const accept of types.filter((type) => /json|csv/.test(type))) {
      await crawl.call('GET', to + (queries[id] ?? ''), undefined, { token, headers: { accept } });
    }
  }
  await crawl.text('/metrics');
  const mails = (await mailsTo(service, user.email)).map(({ headers, text, html }) => [headers, text, html]);
  expect(mails.length).toBeGreaterThan(4);
  crawl.note('mails', mails);
}

const workspaces = {} as Record<'public' | 'private', Workspace>;
beforeAll(async () => {
  const fill = async (files: keyof typeof workspaces) => {
    const workspace = (workspaces[files] = await workspaceWith(files));
    await useEndpoint(workspace);
    await Promise.all([useAccount(workspace), useUploads(workspace), useModels(workspace), useBoard(workspace)]);
    await useLink(workspace);
    await useLibrary(workspace);
    await readEvents(workspace);
    await readEverything(workspace);
    await beRefused(workspace);
  };
  await Promise.all([fill('public'), fill('private')]);
});

describe.each(['public', 'private'] as const)('a %s workspace with everything in it', (files) => {
  let workspace: Workspace;
  let crawl: UrlCrawl;
  beforeAll(() => {
    workspace = workspaces[files];
    crawl = workspace.crawl;
  });

  it('is read by every operation whose response may have a URL', () => {
    const missing = operations.filter(
      ({ id, mayShowUrls }) => mayShowUrls && !crawl.read.has(id) && !(id in NOT_CALLED),
    );
    expect(missing.map(({ id, path }) => [id, path])).toEqual([]);
    const known = new Set(operations.map(({ id }) => id));
    const outdated = [...Object.keys(NOT_CALLED), ...Object.keys(WITHOUT_FILES)].filter((id) => !known.has(id));
    expect([...outdated, ...Object.keys(NOT_CALLED).filter((id) => crawl.read.has(id))]).toEqual([]);
  });

  it('shows URLs of files wherever they are declared, in events and in webhooks', () => {
    const isDeclaring = ({ id, urlFields }: Operation) => urlFields.length > 0 && crawl.read.has(id);
    const declared = operations.filter(isDeclaring).map(({ id }) => id);
    const showing = [...declared, ...OTHERS].filter((place) => crawl.showing.has(place));
    const expected = [...declared, ...OTHERS].filter((place) => !(place in WITHOUT_FILES));
    expect(showing.toSorted()).toEqual(expected.toSorted());
    const fields = new Set(operations.flatMap(({ urlFields }) => urlFields));
    expect([...fields].filter((field) => !crawl.fields.has(field))).toEqual(FIELDS_WITHOUT_FILES);
  });

  const expected = files === 'private' ? [true, 200, 404, 404, 404] : [false, 200, 200, 200, 200];
  it(`shows only URLs that ${files === 'private' ? 'are signed, and open by that alone' : 'are plain, and open'}`, async () => {
    const wrong = [];
    for (const [url, place] of crawl.urls) {
      const { searchParams } = new URL(url);
      const later = String(Number(searchParams.get('expires')) + 3_600);
      const variants = [url, unsigned(url), expiring(url, later), expiring(url, '1')];
      const found = [searchParams.has('signature'), ...(await Promise.all(variants.map(statusOf)))];
      if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push([place, url, found]);
    }
    expect(wrong).toEqual([]);
  });

  it('logs no URL that opens a file', () => {
    const lines = readFileSync(logFile, 'utf8');
    expect(lines).toContain(`/v2/generations/${workspace.ids['generations']}`);
    const secretOf = (url: URL) => (files === 'public' ? url.pathname : url.searchParams.get('signature')!);
    const secrets = new Set([...crawl.urls.keys()].map((url) => secretOf(new URL(url))));
    expect([...secrets].filter((secret) => lines.includes(secret))).toEqual([]);
    expect(lines.split('\n').filter((line) => /\/(files|downloads|shared)\/[\w-]{20,}/.test(line))).toEqual([]);
  });

  it('shows no signature in refusals', () => {
    expect(crawl.refusals.length).toBeGreaterThan(5);
    expect(crawl.refusals.filter((refusal) => refusal.includes('signature='))).toEqual([]);
  });

  it(`shows URLs that open ${files === 'private' ? 'no more after their end' : 'without end'}`, async () => {
    await service.stopWorker();
    const end = jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() + 8 * DAY_MS));
    const statuses = await Promise.all([...crawl.urls].map(async ([url, place]) => [place, await statusOf(url)]));
    end.mockRestore();
    await service.startWorker();
    const status = files === 'private' ? 404 : 200;
    expect(statuses.filter(([, found]) => found !== status)).toEqual([]);
  });
});

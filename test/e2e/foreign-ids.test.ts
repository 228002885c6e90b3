/** @tier test */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aPng } from '#testing/sources';
import type { TestUser } from '../support/service.ts';
import { eventually } from '../support/eventually.ts';
import { uploaded } from '../support/uploaded.ts';
import { useService } from '../support/use-service.ts';

// No lower layer knows all operations.

type Ids = Readonly<Record<string, number>>;

const service = useService({}, { worker: false });
let ada: TestUser;
let eve: TestUser;
/** Operations whose path names something of a workspace or an account. */
let operations: readonly { readonly method: string; readonly path: string }[];
/** Ids of Ada's objects, by the beginning of the paths that name them; the first that fits counts. */
let idsUnder: Readonly<Record<string, Ids>>;

/**
 * Share links have secrets, providers signatures, teams a matrix of their own, identities are at an issuer, applications ask
 * for grants, and customers have labels that each workspace chooses.
 */
const ELSEWHERE = /^\/v2\/(customers|shared|downloads|providers|team|auth\/oidc|auth\/grants)\//;

beforeAll(async () => {
  [ada, eve] = [await service.signUp(), await service.signUp()];
  const { paths } = (await service.call('GET', '/openapi.json')).body as { paths: Record<string, object> };
  operations = Object.entries(paths).flatMap(([path, item]) =>
    path.includes('{') && !ELSEWHERE.test(path)
      ? Object.keys(item).map((method) => ({ method: method.toUpperCase(), path }))
      : [],
  );
  idsUnder = await everyKind();
});

async function everyKind(): Promise<Record<string, Ids>> {
  const { token } = ada;
  const get = async (path: string) => (await service.call('GET', path, { token })).body;
  const post = async (path: string, json: object = {}) => {
    const { status, body } = await service.call('POST', path, { token, json });
    expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
    return body;
  };
  const { board } = await post('/boards', { name: 'Summer' });
  const on = `/boards/${board.id}`;
  const { folder } = await post(`${on}/folders`, { name: 'Sky' });
  const { media } = await post(`${on}/media`);
  const { comment } = await post(`${on}/media/${media.id}/comments`, { text: 'warmer' });
  const { note } = await post(`${on}/notes`, { text: 'Sky' });
  const thrown = await post('/boards', { name: 'Winter' });
  await service.call('DELETE', `/boards/${thrown.board.id}`, { token });
  const [{ id: persona_id }] = (await get('/v2/personas')).personas;
  const photo = await uploaded(service, ada, 'a.png', aPng(), persona_id);
  const filled = [];
  for (const slot of [1, 2, 3]) filled.push(await post(`/v2/personas/${persona_id}/trains`, { photo, slot }));
  const { style } = await post(`/v2/personas/${persona_id}/styles`, { model: 'local-style' });
  const call = { model: 'local-image', width: 64 };
  const { generation_id } = await post('/v2/generate', { ...call, webhook: 'https://example.com/hook' });
  await post(`/v2/generations/${generation_id}/cancel`);
  const delivery = await eventually(async () => (await get('/v2/webhooks/deliveries')).deliveries[0]);
  const { share } = await post('/v2/shares', { board_id: board.id });
  return {
    '/boards/{board_id}/folders/': { board_id: board.id, id: folder.id },
    '/boards/{board_id}/notes/': { board_id: board.id, id: note.id },
    '/boards/{board_id}': { board_id: board.id, id: media.id, comment_id: comment.id },
    '/boards/{id}': { id: board.id },
    '/v2/auth/exports/': { id: (await post('/v2/auth/export')).export.id },
    '/v2/auth/sessions/': { id: (await get('/v2/auth/sessions')).sessions[0].id },
    '/v2/auth/tokens/': { id: (await post('/v2/auth/tokens', { name: 'CI' })).id },
    '/v2/batches/': { id: (await post('/v2/batches', { name: 'Foxes', rows: [call] })).batch.id },
    '/v2/generations/': { id: generation_id },
    '/v2/library/': { file_id: (await get('/v2/library')).items[0].file_id },
    '/v2/personas/': { persona_id, style_id: style.id, training_id: filled[0].training_id, slot: 1 },
    '/v2/presets/': { id: (await post('/v2/presets', { name: 'Owls', model: 'local-image' })).preset.id },
    '/v2/searches/': { id: (await post('/v2/searches', { name: 'Owls', q: 'owl' })).search.id },
    '/v2/shares/': { id: share.id },
    '/v2/trash/': { id: (await get('/v2/trash')).trash[0].id },
    '/v2/webhook_endpoints/': {
      id: (await post('/v2/webhook_endpoints', { url: 'https://example.com' })).webhook_endpoint.id,
    },
    '/v2/webhooks/deliveries/': { id: delivery.id },
  };
}

function filled(path: string, isUnknown = false): string {
  const ids = Object.entries(idsUnder).find(([prefix]) => path.startsWith(prefix))![1];
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(isUnknown && name !== 'slot' ? 999_999_999 : ids[name]),
  );
}

/** Responses to Ada's reads of all that. */
async function readAll(): Promise<unknown[]> {
  const reads = operations.filter(({ method, path }) => method === 'GET' && !/\/(events|zip)$/.test(path));
  return Promise.all(
    reads.map(async ({ path }) => {
      const { status, body } = await service.call('GET', filled(path), { token: ada.token });
      expect([path, status]).toEqual([path, 200]);
      return body;
    }),
  );
}

describe('what is in another workspace', () => {
  it('is as unknown to every operation as what does not exist, whatever else is wrong, and stays as it is', async () => {
    expect(operations.length).toBeGreaterThan(60);
    const before = await readAll();
    for (const { method, path } of operations) {
      const request = { token: eve.token, json: method === 'GET' ? undefined : {} };
      const foreign = await service.call(method, filled(path), request);
      const unknown = await service.call(method, filled(path, true), request);
      expect([method, path, foreign.status, foreign.body.code]).toEqual([method, path, 404, 'not_found']);
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    }
    expect(await readAll()).toEqual(before);
  });
});

/** @tier test */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aPng } from '#testing/sources';
import { eventually } from '../support/eventually.ts';
import { teamOf } from '../support/team-of.ts';
import { uploaded } from '../support/uploaded.ts';
import { useService } from '../support/use-service.ts';

// No lower layer knows the fields, codes and rights of these operations.

const service = useService();
let member: Awaited<ReturnType<Awaited<ReturnType<typeof teamOf>>['member']>>;
let board: string;
let ids: number[];

beforeAll(async () => {
  member = await (await teamOf(service)).member();
  board = `/boards/${(await call('POST', '/boards', { name: 'Summer' })).body.board.id}`;
  ids = [];
  for (const url of [await uploaded(service, member, 'wolf.png', aPng()), null, null]) {
    ids.push((await call('POST', `${board}/media`, { url })).body.media.id);
  }
  await eventually(async () => (await shown()).media.at(-1).state === 'processed');
});

const call = (method: string, path: string, json?: object) => service.call(method, path, { token: member.token, json });
const shown = async () => (await call('GET', board)).body.board;
const listed = async (query: string) =>
  (await call('GET', `${board}/media?${query}`)).body.media.map(({ id }: { id: number }) => id);

describe('the order of a board', () => {
  it('is put by every member, and changes the board', async () => {
    const [a, b, c] = ids as [number, number, number];
    const before = await call('GET', board);
    const { status, body } = await call('PUT', `${board}/media/order`, { ids: [a], after: c });
    expect([status, body]).toEqual([
      200,
      { status: true, places: [{ kind: 'media', id: a, place: expect.any(Number) }] },
    ]);
    expect(await listed('sort=manual')).toEqual([c, a, b]);
    expect(await listed('')).toEqual([c, b, a]);
    const after = await call('GET', board);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(after.body.board.media.at(-1)).toMatchObject({ id: a, place: body.places[0].place, rating: 0, tags: [] });
  });

  it.each([
    ['ids', {}],
    ['ids', { ids: [] }],
    ['ids', { ids: Array.from({ length: 501 }, (_, index) => index + 1) }],
    ['after', { ids: [1], after: 0 }],
    ['after_note', { ids: [1], after: 1, after_note: 1 }],
  ])('refuses a wrong %s', async (field, json) => {
    const { status, body } = await call('PUT', `${board}/media/order`, json);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_failed', [field]]);
  });

  it('is not that of an item that is not there', async () => {
    const { status, body } = await call('PUT', `${board}/media/order`, { ids: [999_999] });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it('and a search are queries of the list', async () => {
    const [a, b] = ids as [number, number];
    const [{ file_id: file }] = (await call('GET', '/v2/library')).body.items;
    await call('PUT', `/v2/library/${file}`, { rating: 3, tags: ['Dawn'] });
    expect((await shown()).media.at(-1)).toMatchObject({ id: a, rating: 3, tags: ['dawn'] });
    expect(await listed('q=owl')).toEqual([]);
    expect(await listed('q=wol')).toEqual([a]);
    expect(await listed('tag=Dawn')).toEqual([a]);
    expect((await listed('sort=rating&limit=1'))[0]).toBe(a);
    const { next_cursor: cursor } = (await call('GET', `${board}/media?sort=oldest&limit=1`)).body;
    expect(await listed(`sort=oldest&limit=1&cursor=${cursor}`)).toEqual([b]);
    const { status, body } = await call('GET', `${board}/media?sort=best`);
    expect([status, Object.keys(body.errors)]).toEqual([400, ['sort']]);
  });
});

describe('the notes of a board', () => {
  it('are written, changed and deleted by every member', async () => {
    const made = await call('POST', `${board}/notes`, { text: ' Sky ', after: ids[0] });
    const { note } = made.body;
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect([made.status, note]).toEqual([
      201,
      {
        ...{ id: expect.any(Number), board_id: Number(board.split('/')[2]), folder_id: null, text: 'Sky' },
        ...{ place: expect.any(Number), created_by: member.userId, created_at: time, updated_at: time },
      },
    ]);
    expect((await shown()).notes).toEqual([note]);
    const path = `${board}/notes/${note.id}`;
    const changed = await call('PUT', path, { text: 'Sea' });
    expect([changed.status, changed.body.note]).toEqual([200, { ...note, text: 'Sea', updated_at: time }]);
    expect((await call('PUT', path, { after: null })).body.note.place).toBeLessThan(note.place);
    expect((await call('DELETE', path)).body).toEqual({ status: true });
    expect((await call('DELETE', path)).status).toBe(404);
    expect((await shown()).notes).toEqual([]);
  });

  it.each([
    ['text', {}],
    ['text', { text: ' ' }],
    ['text', { text: 'x'.repeat(4_001) }],
    ['after', { text: 'x', after: 999_999 }],
    ['folder_id', { text: 'x', folder_id: 'a' }],
  ])('have no wrong %s', async (field, json) => {
    const { status, body } = await call('POST', `${board}/notes`, json);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'validation_failed', [field]]);
  });

  it('are in no folder that is not there', async () => {
    const { status, body } = await call('POST', `${board}/notes`, { text: 'x', folder_id: 999_999 });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });
});

/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { NO_CUSTOM_DATA } from '#kernel';
import type { TestRequest, TestResponse } from '../support/call-api.ts';
import { itHere, type TestUser } from '../support/service.ts';
import { teamOf } from '../support/team-of.ts';
import { prepared, useService } from '../support/use-service.ts';

describe('boards over HTTP', () => {
  const service = useService({}, { worker: false });
  const ada = prepared(() => service.signUp());
  const eve = prepared(() => service.signUp());

  const as = (
    user: Pick<TestUser, 'token'>,
    method: string,
    path: string,
    request: TestRequest = {},
  ): Promise<TestResponse> => service.call(method, path, { ...request, token: user.token });
  async function made(path: string, form: Record<string, string | number>, what: string): Promise<number> {
    const { status, body } = await as(ada, 'POST', path, { form });
    expect(status).toBe(201);
    return body[what].id as number;
  }
  const newBoard = (name = 'Summer') => made('/boards', { name }, 'board');
  const newFolder = (board: number, form: Record<string, string | number> = {}) =>
    made(`/boards/${board}/folders`, { name: 'Drafts', ...form }, 'folder');
  const newMedia = (board: number, form: Record<string, string | number> = {}) =>
    made(`/boards/${board}/media`, form, 'media');

  it('can be restored from the trash by permitted users only', async () => {
    const board = await newBoard('Autumn');
    const folder = await newFolder(board);
    const media = await newMedia(board, { folder_id: folder });
    const before = (await as(ada, 'GET', `/boards/${board}`)).body;
    expect((await as(ada, 'DELETE', `/boards/${board}/folders/${folder}`)).status).toBe(200);
    expect((await as(ada, 'GET', `/boards/${board}/folders/${folder}`)).status).toBe(404);
    const { body } = await as(ada, 'GET', '/v2/trash?limit=1');
    expect(body.trash).toMatchObject([{ kind: 'folder', item_id: folder, board_id: board, name: 'Drafts' }]);
    const entry = `/v2/trash/${body.trash[0].id}`;
    expect((await as(eve, 'GET', '/v2/trash')).body).toEqual({ status: true, trash: [], next_cursor: null });
    const { status, body: restored } = await as(ada, 'POST', `${entry}/restore`);
    expect([status, restored.restored]).toEqual([200, body.trash[0]]);
    expect((await as(ada, 'GET', `/boards/${board}`)).body).toEqual(before);
    expect((await as(ada, 'POST', `${entry}/restore`)).status).toBe(404);

    expect((await as(ada, 'DELETE', `/boards/${board}/media/${media}`)).status).toBe(200);
    const [{ id }] = (await as(ada, 'GET', '/v2/trash')).body.trash;
    expect((await as(ada, 'DELETE', `/v2/trash/${id}`)).body).toEqual({ status: true });
    expect((await as(ada, 'POST', `/v2/trash/${id}/restore`)).status).toBe(404);
  });

  it('live from making to deleting, in the shapes of the contract', async () => {
    const created = await as(ada, 'POST', '/boards', { form: { name: '  Summer campaign ' } });
    const fields = { id: expect.any(Number), created_at: expect.stringMatching(/^\d{4}-.*Z$/) };
    const shown = { ...fields, ...NO_CUSTOM_DATA, name: 'Summer campaign', folders_count: 0, media_count: 0 };
    expect([created.status, created.body]).toEqual([201, { status: true, board: shown }]);
    const board = created.body.board.id as number;
    const folder = await newFolder(board);
    const nested = await newFolder(board, { name: 'Finals', parent_id: folder });
    const media = await newMedia(board, { folder_id: nested, extras: '{"a":1}' });
    const second = await newMedia(board, { folder_id: nested });

    const whole = await as(ada, 'GET', `/boards/${board}`);
    expect((await as(ada, 'GET', `/v2/boards/${board}`)).body).toEqual(whole.body);
    expect(whole.body.board).toMatchObject({
      folders_count: 2,
      media_count: 2,
      folders: [
        { id: folder, name: 'Drafts', parent_id: null },
        { id: nested, name: 'Finals', parent_id: folder },
      ],
      media: [{ id: second }, { id: media, folder_id: nested, extras: '{"a":1}', url: null, state: 'processed' }],
    });
    const read = async (path: string) => (await as(ada, 'GET', `/boards/${board}${path}`)).body;
    const inNested = { id: nested, media: [{ id: second }, { id: media }] };
    expect(await read('/folders')).toMatchObject({ folders: [inNested, { id: folder, media: [] }], next_cursor: null });
    const folders = [{ id: nested, folders_count: 0, media_count: 2 }];
    expect(await read(`/folders/${folder}`)).toMatchObject({ folder: { id: folder }, folders, media: [] });
    const page = await read(`/folders/${nested}?limit=1`);
    expect(page).toMatchObject({ folder: { id: nested }, folders: [], media: [{ id: second }] });
    const rest = await read(`/folders/${nested}?limit=1&cursor=${page.next_cursor}`);
    expect(rest).toMatchObject({ media: [{ id: media }], next_cursor: null });
    expect(await read('/media?folder_id=null')).toMatchObject({ media: [], next_cursor: null });
    const list = await as(ada, 'GET', '/boards');
    expect(list.body.boards[0]).toEqual({ ...created.body.board, folders_count: 2, media_count: 2 });

    const renamed = await as(ada, 'PUT', `/boards/${board}`, { form: { name: 'Autumn' } });
    expect([renamed.status, renamed.body.board.name]).toEqual([200, 'Autumn']);
    expect((await as(ada, 'PUT', `/boards/${board}`)).body.board.name).toBe('Autumn');

    const rename = () => as(ada, 'PUT', `/boards/${board}/media/${media}`, { form: { name: 'Lake' } });
    expect([(await rename()).status, (await rename()).body.code]).toEqual([409, 'conflict']);

    const toRoot = { form: { folder_id: 'null' } };
    const moved = await as(ada, 'PUT', `/boards/${board}/media/${media}/move`, toRoot);
    expect([moved.status, moved.body.media.folder_id]).toEqual([200, null]);
    const gone = await as(ada, 'DELETE', `/boards/${board}`);
    expect([gone.status, gone.body]).toEqual([200, { status: true, deleted: { folders: 2, media: 2 } }]);
    expect((await as(ada, 'GET', `/boards/${board}`)).status).toBe(404);
  });

  it('respond 304 until something on the board changes', async () => {
    const board = await newBoard();
    const etag = (await as(ada, 'GET', `/boards/${board}`)).headers.get('etag')!;
    const again = (headers: Record<string, string>) => as(ada, 'GET', `/boards/${board}`, { headers });
    const known = await again({ 'If-None-Match': etag });
    expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, '', etag]);
    const folder = await newFolder(board);
    const changed = await again({ 'If-None-Match': etag });
    expect([changed.status, changed.body.board.folders[0].id]).toEqual([200, folder]);
    expect(changed.headers.get('etag')).not.toBe(etag);
    const foreign = await as(eve, 'GET', `/boards/${board}`, { headers: { 'If-None-Match': etag } });
    expect(foreign.status).toBe(404);
  });

  itHere('come compressed when they are large and the reader asks for it, and are the same', async () => {
    const board = await newBoard();
    const bodyAs = async (encoding: string) => {
      const headers = { 'accept-encoding': encoding };
      const { headers: sent, body, status } = await as(ada, 'GET', `/boards/${board}`, { headers });
      expect([status, sent.get('vary')]).toEqual([200, 'Accept-Encoding']);
      return [sent.get('content-encoding'), body];
    };
    expect((await bodyAs('br, gzip'))[0]).toBeNull();
    await service.database.query(
      `with added as (insert into folders (board_id, name, created_at)
         select $1, 'Folder ' || n, now() from generate_series(1, 300) n)
       update boards set version = version + 1, folders_count = 300 where id = $1`,
      [board],
    );
    const [encoding, plain] = await bodyAs('identity');
    expect([encoding, plain.board.folders.length]).toEqual([null, 300]);
    expect(await bodyAs('gzip;q=0.5, br')).toEqual(['br', plain]);
    expect(await bodyAs('gzip')).toEqual(['gzip', plain]);
    expect(await bodyAs('br;q=0, gzip')).toEqual(['gzip', plain]);
    await newFolder(board);
    expect((await bodyAs('br'))[1].board.folders).toHaveLength(301);
  });

  it('move and delete many media at once, and report the result of each', async () => {
    const board = await newBoard();
    const folder = await newFolder(board);
    const ids = [await newMedia(board), await newMedia(board)];
    const media = (verb: string, request: TestRequest) => as(ada, 'POST', `/boards/${board}/media/${verb}`, request);
    const moved = await media('move', { json: { ids: [...ids, 999_999], folder_id: folder } });
    expect(moved.body.results).toEqual([
      { id: ids[0], result: 'ok' },
      { id: ids[1], result: 'ok' },
      { id: 999_999, result: 'not_found' },
    ]);
    const deleted = await media('delete', { form: { ids: ids.join(',') } });
    expect(deleted.body).toMatchObject({ deleted: { folders: 0, media: 2 } });
    const ids501 = Array.from({ length: 501 }, (_, index) => index + 1);
    const tooMany = await media('delete', { json: { ids: ids501 } });
    expect([tooMany.status, tooMany.body.errors]).toEqual([400, { ids: ['must have 1 to 500 ids'] }]);
    const most = await media('delete', { json: { ids: ids501.slice(1) } });
    expect([most.status, most.body.results.length]).toEqual([200, 500]);
  });

  const badInput: readonly (readonly [string, string, Record<string, string | number>, string])[] = [
    ['POST', '/boards', {}, 'name'],
    ['PUT', '/boards/BOARD', { name: '' }, 'name'],
    ['POST', '/boards/BOARD/folders', { name: 'x', parent_id: 'abc' }, 'parent_id'],
    ['POST', '/boards/BOARD/media', { extras: '{' }, 'extras'],
    ['POST', '/boards/BOARD/media', { url: 'ftp://example.com/a.png' }, 'url'],
    ['POST', '/boards/BOARD/media', { control_image: 'nonsense' }, 'control_image'],
    ['POST', '/boards/BOARD/media', { folder_id: '1.5' }, 'folder_id'],
    ['GET', '/boards?limit=0', {}, 'limit'],
    ['GET', '/boards?cursor=zzz', {}, 'cursor'],
    ['GET', '/boards/abc', {}, 'id'],
  ];
  it.each(badInput)('refuse %s %s %j and name the field', async (method, path, form, field) => {
    const board = await newBoard();
    const request = method === 'GET' ? {} : { form };
    const { status, body } = await as(ada, method, path.replace('BOARD', String(board)), request);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(Object.keys(body.errors as object)).toEqual([field]);
  });

  it('are renamed, deleted and restored by admins and owners alone', async () => {
    const team = await teamOf(service);
    const [owner, member] = [team.owner, await team.member()];
    const path = `/boards/${(await as(member, 'POST', '/boards', { form: { name: 'Ours' } })).body.board.id}`;
    for (const method of ['PUT', 'DELETE']) {
      const [own, foreign] = [path, `/boards/${await newBoard()}`];
      expect((await as(member, method, own, { form: { name: '' } })).body.code).toBe('forbidden');
      expect((await as(member, method, foreign, { form: { name: '' } })).body.code).toBe('not_found');
    }
    expect((await as(owner, 'PUT', path, { form: { name: 'Mine' } })).status).toBe(200);
    expect((await as(owner, 'DELETE', path)).status).toBe(200);

    const { trash } = (await as(owner, 'GET', '/v2/trash')).body;
    expect(trash).toMatchObject([{ kind: 'board', deleted_by: owner.userId, placeholder: null }]);
    const entry = `/v2/trash/${trash[0].id}`;
    for (const [method, at] of [
      ['GET', '/v2/trash'],
      ['POST', `${entry}/restore`],
      ['DELETE', entry],
    ] as const) {
      expect((await as(member, method, at)).body.code).toBe('forbidden');
    }
  });
});

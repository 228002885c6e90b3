/** @tier test, 15 s */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { followBoard, type BoardStream } from '../support/board-stream.ts';
import type { TestService } from '../support/service.ts';
import { teamOf, type TeamCaller } from '../support/team-of.ts';
import { callerOf, prepared, useService } from '../support/use-service.ts';
const service = useService({}, { worker: false });
/** Another API on the same data. */
let other: Pick<TestService, 'baseUrl' | 'call' | 'stop'>;
const team = prepared(() => teamOf(service));
const owner = prepared(async () => team.owner);
beforeAll(async () => {
  other = await service.withFilesAt(service.settings.http.publicUrl);
});
afterAll(async () => {
  await other.stop();
});

const open: BoardStream[] = [];
afterEach(async () => {
  for (const stream of open) stream.stop();
  await Promise.all(open.splice(0).map(({ closed }) => closed));
});

const call = callerOf(service, owner);
const newBoard = async (): Promise<number> =>
  (await call('POST', '/boards', { json: { name: 'Summer' } })).body.board.id;
const newItem = async (board: number): Promise<number> =>
  (await call('POST', `/boards/${board}/media`, { json: {} })).body.media.id;
const rename = (board: number, name = 'Autumn') => call('PUT', `/boards/${board}`, { json: { name } });
const versionOf = async (board: number) =>
  (await service.database.query<{ version: number }>('select version from boards where id = $1', [board]))[0]!.version;

/** Follows a board at the other API, once it has begun. */
async function follow(
  board: number,
  { token, at = other, ...options }: { token?: string; at?: { baseUrl: string }; lastEventId?: number | string } = {},
): Promise<BoardStream> {
  const stream = await followBoard(at.baseUrl, token ?? owner.token, board, options);
  open.push(stream);
  if (stream.status === 200) await stream.until(({ name }) => name === 'presence');
  return stream;
}

describe('the stream of a board', () => {
  it('begins with the version, and with who looks at it', async () => {
    const board = await newBoard();
    const { events } = await follow(board);
    const version = await versionOf(board);
    expect(events).toEqual([
      { name: 'changed', id: version, data: { version } },
      { name: 'presence', id: null, data: { people: [{ user_id: owner.id, name: 'Someone' }] } },
    ]);
  });

  it('has each change that another process makes, comments and decisions by their item', async () => {
    const board = await newBoard();
    const item = await newItem(board);
    const { until, events } = await follow(board);
    const changes = [
      ['PUT', '', { name: 'Autumn' }, []],
      ['POST', '/folders', { name: 'Sky' }, []],
      ['POST', '/media', {}, []],
      ['POST', `/media/${item}/comments`, { text: 'warmer' }, ['comment']],
      ['PUT', `/media/${item}/decision`, { decision: 'approved' }, ['decision']],
      ['DELETE', `/media/${item}`, undefined, []],
    ] as const;
    for (const [method, path, json, also] of changes) {
      events.length = 0;
      const { status } = await call(method, `/boards/${board}${path}`, { json });
      expect([path, status < 300]).toEqual([path, true]);
      const version = await versionOf(board);
      await until(({ name, id }) => name === (also[0] ?? 'changed') && id === version);
      expect(events).toEqual([
        { name: 'changed', id: version, data: { version } },
        ...also.map((name) => ({ name, id: version, data: { version, media_id: item } })),
      ]);
    }
  });

  it('has no change that was rolled back', async () => {
    const board = await newBoard();
    const { until, events } = await follow(board);
    events.length = 0;
    expect((await call('POST', `/boards/${board}/media/999999/comments`, { json: { text: 'x' } })).status).toBe(404);
    // A change that comes after it is the only one.
    await rename(board);
    const version = await versionOf(board);
    await until(({ name, id }) => name === 'changed' && id === version);
    expect(events).toEqual([{ name: 'changed', id: version, data: { version } }]);
  });

  it('tells a client that opens it again whether the board has changed since', async () => {
    const board = await newBoard();
    const known = await versionOf(board);
    expect((await follow(board, { lastEventId: known })).versions()).toEqual([]);
    await rename(board);
    expect((await follow(board, { lastEventId: known })).versions()).toEqual([known + 1]);
    // A backup was restored, or the id is none of ours.
    for (const lastEventId of [known + 9, 'x', '9'.repeat(30), '-1']) {
      expect((await follow(board, { lastEventId })).versions()).toEqual([known + 1]);
    }
  });

  it('has changes whose signals were lost, after some seconds', async () => {
    const board = await newBoard();
    const { until } = await follow(board);
    await service.database.query('update boards set version = version + 1 where id = $1', [board]);
    const version = await versionOf(board);
    await until(({ name, id }) => name === 'changed' && id === version);
  });
});

describe('the stream of a board ends', () => {
  it.each([
    ['its token is revoked', (user: TeamCaller) => sql('delete from api_tokens where user_id = $1', [user.id])],
    ['its caller is removed from the team', (user: TeamCaller) => team.store.members.remove(team.workspaceId, user.id)],
  ] as const)('when %s', async (_, lose) => {
    const [board, user] = [await newBoard(), await team.member()];
    const stream = await follow(board, { token: user.token });
    await lose(user);
    await stream.closed;
    expect((await follow(board)).people()).toEqual([owner.id]);
  });

  it('before a change that commits with the revocation', async () => {
    const [board, user] = [await newBoard(), await team.member()];
    const { closed, events } = await follow(board, { token: user.token });
    events.length = 0;
    await sql(
      `with gone as (delete from api_tokens where user_id = $1)
       select pg_notify('changes', $2)`,
      [user.id, JSON.stringify({ subject: 'board', id: board, version: 99 })],
    );
    await closed;
    expect(events).toEqual([]);
  });

  it('when the board is deleted, and is there again when it is restored', async () => {
    const board = await newBoard();
    const stream = await follow(board, { at: service });
    expect((await call('DELETE', `/boards/${board}`)).status).toBe(200);
    await stream.closed;
    expect((await follow(board)).status).toBe(404);
    const { body } = await call('GET', '/v2/trash');
    const { id } = body.trash.find(({ item_id }: { item_id: number }) => item_id === board);
    expect((await call('POST', `/v2/trash/${id}/restore`)).status).toBe(200);
    expect((await follow(board)).status).toBe(200);
  });
});

const sql = (text: string, values: unknown[]) => service.database.query<Record<string, number>>(text, values);

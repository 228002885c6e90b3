import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { followBoard, type BoardStream } from '../support/board-stream.ts';
import type { TestRequest } from '../support/call-api.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/rounds.ts';
import { startService, type TestService, type TestUser } from '../support/service.ts';
import { newTeam, teamStoresOn, withToken, type TeamStores, type TestTeam } from '../support/team-store.ts';
let service: TestService;
/** Another API on the same data. */
let other: Pick<TestService, 'baseUrl' | 'call' | 'stop'>;
let store: TeamStores;
let team: TestTeam;
let owner: { readonly id: number; readonly token: string };
let member: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  service = await startService({}, { worker: false });
  other = await service.withFilesAt(service.settings.http.publicUrl);
  store = teamStoresOn(service.database.database);
  team = await newTeam(store);
  const { userId: id, token } = await withToken(store, team.owner);
  owner = { id, token };
  [member, stranger] = [await newMember(), await service.signUp()];
});
afterAll(async () => {
  await other.stop();
  await service.stop();
});

const open: BoardStream[] = [];
afterEach(async () => {
  for (const stream of open) stream.stop();
  await Promise.all(open.splice(0).map(({ closed }) => closed));
});

async function newMember(): Promise<TestUser> {
  const user = await service.signUp();
  const joining = { workspaceId: team.workspaceId, userId: user.id, role: 'member', addedBy: owner.id } as const;
  await store.teams.join({ ...joining, joinedAt: new Date() });
  return user;
}

const call = (method: string, path: string, request: TestRequest = {}) =>
  service.call(method, path, { token: owner.token, ...request });
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
    const { events } = await follow(board);
    events.length = 0;
    expect((await call('POST', `/boards/${board}/media/999999/comments`, { json: { text: 'x' } })).status).toBe(404);
    await sleep(300);
    expect(events).toEqual([]);
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

  it('misses no change that is made while it opens', async () => {
    const board = await newBoard();
    for (let round = 0; round < rounds(); round++) {
      const lastEventId = await versionOf(board);
      const [stream] = await Promise.all([
        followBoard(other.baseUrl, owner.token, board, { lastEventId }),
        rename(board),
      ]);
      open.push(stream);
      await stream.until(({ name, id }) => name === 'changed' && id === lastEventId + 1);
      stream.stop();
    }
  });

  it('has growing versions up to the last, however many changes race', async () => {
    const board = await newBoard();
    const [here, there] = [await follow(board, { at: service }), await follow(board)];
    for (let round = 0; round < rounds(); round++) {
      await Promise.all(
        [service, other, service, other].map(({ call: change }, index) =>
          change('PUT', `/boards/${board}`, { token: owner.token, json: { name: `Round ${round} ${index}` } }),
        ),
      );
      const last = await versionOf(board);
      for (const { until, versions } of [here, there]) {
        await until(({ name, id }) => name === 'changed' && id === last);
        expect(versions()).toEqual(versions().toSorted((a, b) => a - b));
        expect(new Set(versions()).size).toBe(versions().length);
      }
    }
  });

  it('goes on after the connection of its signals was killed, with what was changed meanwhile', async () => {
    const board = await newBoard();
    const { until, isOpen } = await follow(board);
    const listeners = async () => {
      const listening = `datname = current_database() and query like 'listen %'`;
      return (await sql(`select pid from pg_stat_activity where ${listening}`, [])).map(({ pid }) => pid);
    };
    for (let round = 0; round < 3; round++) {
      const killed = await eventually(async () => {
        const all = await listeners();
        return all.length > 0 && all;
      });
      await sql('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [killed]);
      await eventually(async () => !(await listeners()).some((pid) => killed.includes(pid)), { everyMs: 5 });
      await rename(board, `Round ${round}`);
      const version = await versionOf(board);
      await until(({ name, id }) => name === 'changed' && id === version);
    }
    expect(isOpen()).toBe(true);
  });

  it('has changes whose signals were lost, after some seconds', async () => {
    const board = await newBoard();
    const { until } = await follow(board);
    await service.database.query('update boards set version = version + 1 where id = $1', [board]);
    const version = await versionOf(board);
    await until(({ name, id }) => name === 'changed' && id === version);
  });

  it('is not there for strangers, and for boards that are not there', async () => {
    const board = await newBoard();
    expect((await follow(board, { token: stranger.token })).status).toBe(404);
    expect((await follow(999_999)).status).toBe(404);
    expect((await follow(board, { token: 'x' })).status).toBe(401);
  });
});

describe('the stream of a board ends', () => {
  it.each([
    ['its token is revoked', (user: TestUser) => sql('delete from api_tokens where user_id = $1', [user.id])],
    ['its caller is removed from the team', (user: TestUser) => store.members.remove(team.workspaceId, user.id)],
  ] as const)('when %s, within a second', async (_, lose) => {
    const [board, user] = [await newBoard(), await newMember()];
    const stream = await follow(board, { token: user.token });
    await lose(user);
    const since = Date.now();
    await stream.closed;
    expect(Date.now() - since).toBeLessThan(1_500);
    const watching = await follow(board);
    expect(watching.people()).toEqual([owner.id]);
  });

  it('before a change that commits with the revocation', async () => {
    const [board, user] = [await newBoard(), await newMember()];
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

  it('when its API stops, whose people look at the board no longer', async () => {
    const [board, third] = [await newBoard(), await service.withFilesAt(service.settings.http.publicUrl)];
    const mine = await follow(board);
    const stream = await follow(board, { token: member.token, at: third });
    await eventually(() => mine.people().length === 2, { everyMs: 5 });
    const since = Date.now();
    await third.stop();
    await stream.closed;
    expect(Date.now() - since).toBeLessThan(3_000);
    await eventually(() => mine.people().length === 1, { everyMs: 5 });
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

  it('while its board is deleted by another process, whichever is first', async () => {
    for (let round = 0; round < rounds(); round++) {
      const board = await newBoard();
      const [stream] = await Promise.all([
        followBoard(other.baseUrl, owner.token, board),
        call('DELETE', `/boards/${board}`),
      ]);
      open.push(stream);
      await stream.closed;
    }
  });
});

describe('who looks at a board', () => {
  it('is seen from every process, once each, until the last stream of a person ends', async () => {
    const board = await newBoard();
    const mine = await follow(board, { at: service });
    expect(mine.people()).toEqual([owner.id]);
    const [first, second] = [
      await follow(board, { token: member.token }),
      await follow(board, { token: member.token, at: service }),
    ];
    await eventually(() => mine.people().length === 2, { everyMs: 5 });
    expect(mine.people().toSorted()).toEqual([owner.id, member.id].toSorted());
    first.stop();
    await sleep(300);
    expect(mine.people()).toHaveLength(2);
    second.stop();
    await eventually(() => mine.people().length === 1, { everyMs: 5 });
    expect(mine.people()).toEqual([owner.id]);
  });

  it('is never somebody of another workspace, whatever is kept', async () => {
    const board = await newBoard();
    await sql('insert into board_looks values ($1, $2, $3, now())', [board, stranger.id, 'killed']);
    expect((await follow(board)).people()).toEqual([owner.id]);
    await store.members.remove(team.workspaceId, (await leaver(board)).id);
    expect((await follow(board)).people()).toEqual([owner.id]);
  });

  /** A member with a look that is kept. */
  async function leaver(board: number): Promise<TestUser> {
    const user = await newMember();
    await sql('insert into board_looks values ($1, $2, $3, now())', [board, user.id, 'killed']);
    return user;
  }

  it('is forgotten within half a minute after their process was killed', async () => {
    const board = await newBoard();
    const keep = (age: number) =>
      sql(
        `insert into board_looks values ($1, $2, 'killed', now() - make_interval(secs => $3))
         on conflict (board_id, user_id, process) do update set confirmed_at = excluded.confirmed_at`,
        [board, member.id, age],
      );
    await keep(15);
    const stream = await follow(board);
    expect(stream.people()).toHaveLength(2);
    await keep(25);
    await eventually(() => stream.people().length === 1);
    await keep(61);
    const kept = () => sql(`select from board_looks where process = 'killed' and board_id = $1`, [board]);
    await eventually(async () => (await kept()).length === 0);
  });

  it('is right at last, however many streams open and close at once', async () => {
    const board = await newBoard();
    const mine = await follow(board);
    for (let round = 0; round < rounds(); round++) {
      const streams = await Promise.all(
        [service, other, service].map(({ baseUrl }) => followBoard(baseUrl, member.token, board)),
      );
      const kept = streams[round % 3]!;
      const others = streams.filter((stream) => stream !== kept);
      for (const stream of others) stream.stop();
      await Promise.all([...others.map(({ closed }) => closed), kept.until(({ name }) => name === 'presence')]);
      await eventually(() => mine.people().length === 2, { everyMs: 5 });
      kept.stop();
      await eventually(() => mine.people().length === 1, { everyMs: 5 });
    }
  });
});

const sql = (text: string, values: unknown[]) => service.database.query<Record<string, number>>(text, values);

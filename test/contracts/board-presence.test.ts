/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresPresence, PostgresSignals } from '#adapters/postgres';
import { Boards } from '#board';
import type { Actor } from '#identity';
import type { Look } from '#review';
import { createDatabase, newColleagues, newWorkspace } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { Product } from '../support/product.ts';
import { itInRounds } from '../support/rounds.ts';

const db = await createDatabase({ poolSize: 10 });
const store = new PostgresPresence(db.database);
const signals = new PostgresSignals(db.pool);
const boards = new Product(db).get(Boards);
afterAll(async () => {
  await signals.close();
  await db.drop();
});

describe('the store of who looks at boards', () => {
  let board: number;
  let actor: Actor;
  /** The owner of the board's workspace, a member, and the owner of another workspace. */
  let [owner, member, stranger] = [0, 0, 0];
  beforeEach(async () => {
    const [first, colleague] = await newColleagues(db);
    actor = first;
    [owner, member, stranger] = [actor.userId, colleague.userId, (await newWorkspace(db.database)).userId];
    board = (await boards.create(actor, 'Summer')).id;
  });

  const look = (userId: number, boardId = board): Look => ({ boardId, userId });
  const present = async () => ((await store.people([board])).get(board) ?? []).map(({ userId }) => userId).toSorted();

  it('has the looks of all processes, each person once', async () => {
    await store.replace('a', [board], [look(owner), look(member)]);
    await store.replace('b', [board], [look(owner)]);
    expect(await present()).toEqual([owner, member].toSorted());
    await store.replace('a', [board], []);
    expect(await present()).toEqual([owner]);
    await store.replace('b', [board], []);
    expect(await present()).toEqual([]);
  });

  it('replaces the looks of the given boards alone', async () => {
    await store.replace('a', [board], [look(owner)]);
    await store.replace('a', [board + 1_000], [look(owner, board + 1_000)]);
    expect(await present()).toEqual([owner]);
  });

  it('shows members of the workspace of the board alone, and nobody at a deleted board', async () => {
    await store.replace('a', [board], [look(owner), look(stranger)]);
    expect(await present()).toEqual([owner]);
    await boards.delete(actor, board);
    expect(await present()).toEqual([]);
  });

  it('reports looks that begin and end, and none that are confirmed', async () => {
    let reported = 0;
    const stop = await signals.watchBoard(board, (signal) => (reported += signal === 'presence' ? 1 : 0));
    await store.replace('a', [board], [look(owner)]);
    await eventually(() => reported === 1, { everyMs: 5 });
    await store.replace('a', [board], [look(owner)]);
    await store.replace('a', [board], [look(owner), look(member)]);
    await eventually(() => reported === 2, { everyMs: 5 });
    await store.replace('a', [board], [look(member)]);
    await eventually(() => reported === 3, { everyMs: 5 });
    stop();
  });

  it('counts looks for 25 seconds after they were confirmed, and forgets them after a minute', async () => {
    const confirmedBefore = (seconds: number) =>
      db.query(`update board_looks set confirmed_at = now() - make_interval(secs => $1)`, [seconds]);
    const kept = async () => (await db.query('select from board_looks')).length;
    await db.query('delete from board_looks');
    await store.replace('a', [board], [look(owner)]);
    await confirmedBefore(24.5);
    expect(await present()).toEqual([owner]);
    await confirmedBefore(25);
    expect(await present()).toEqual([]);
    await confirmedBefore(59);
    await store.forget();
    expect(await kept()).toBe(1);
    await confirmedBefore(60);
    await store.forget();
    expect(await kept()).toBe(0);
  });

  itInRounds('has what each process said last, whichever processes write at once', async (round) => {
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((process, index) =>
        store.replace(process, [board], (index + round) % 2 === 0 ? [look(owner)] : [look(member), look(owner)]),
      ),
    );
    expect(await present()).toEqual([owner, member].toSorted());
    await Promise.all(['a', 'b', 'c', 'd'].map((process) => store.replace(process, [board], [])));
    expect(await present()).toEqual([]);
  });
});

/** @tier test */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { SharedConnections } from '#adapters/postgres';
import { suiteDatabase } from '../support/suite-database.ts';
import { eventually } from '../support/eventually.ts';

const LIMIT = 'set statement_timeout = 500';

const db = await suiteDatabase();

describe('shared connections', () => {
  let shared: SharedConnections;
  let opened: pg.Client[];
  beforeEach(() => {
    opened = [];
    shared = sharedConnections(2);
  });
  afterEach(() => shared.end());

  function sharedConnections(max: number, connectionString = db.url): SharedConnections {
    return new SharedConnections(max, LIMIT, () => {
      const client = new pg.Client({ connectionString, pipeline: true });
      opened.push(client);
      return client.on('error', () => undefined);
    });
  }

  const value = async (sql: string, values: unknown[] = []) =>
    Object.values((await shared.query(sql, values)).rows[0]!)[0];
  const process = () => value('select pg_backend_pid()');

  it('give every one of many statements its own result or error', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => value('select 12 / $1::integer', [index % 4])),
    );
    const expected = [expect.objectContaining({ code: '22012' }), 12, 6, 4];
    expect(results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason))).toEqual(
      results.map((_, index) => expected[index % 4]),
    );
  });

  it('are opened when they are needed, and no more than allowed', async () => {
    await value('select 1');
    await value('select 1');
    expect(opened).toHaveLength(1);
    await Promise.all(Array.from({ length: 40 }, () => value('select pg_sleep(0.01)')));
    expect(opened).toHaveLength(2);
    expect(new Set(await Promise.all(Array.from({ length: 10 }, process))).size).toBe(2);
  });

  it('are replaced after they are lost, and fail only their running statements', async () => {
    const lost = await process();
    const running = value('select pg_sleep(10)').catch((error: Error) => error);
    await db.query('select pg_terminate_backend($1)', [lost]);
    expect(await running).toBeInstanceOf(Error);
    expect(await process()).not.toBe(lost);
  });

  it('are replaced when they were lost while nothing ran', async () => {
    const lost = await process();
    const ended = new Promise((resolve) => opened[0]!.once('end', resolve));
    await db.query('select pg_terminate_backend($1)', [lost]);
    await ended;
    expect(await process()).not.toBe(lost);
  });

  it('cancel a slow statement, and continue with the next', async () => {
    shared = sharedConnections(1);
    await value('select 1');
    const [slow, next] = await Promise.allSettled([value('select pg_sleep(10)'), value('select 2')]);
    expect([slow, next]).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: '57014' }) },
      { status: 'fulfilled', value: 2 },
    ]);
  });

  it('fail while the database cannot be reached, and work once it can', async () => {
    const { port } = new URL(db.url);
    let isThere = false;
    shared = new SharedConnections(1, LIMIT, () => new pg.Client(isThere ? db.url : db.url.replace(port, '1')));
    await expect(Promise.all([value('select 1'), value('select 1')])).rejects.toThrow();
    isThere = true;
    await eventually(() => value('select 1'));
  });

  it('send the statements of one turn of the event loop together when it ends', async () => {
    shared = sharedConnections(1);
    await value('select 1');
    const { stream } = opened.at(-1)!.connection;
    const first = value('select 2');
    const one = stream.writableLength;
    const second = value('select 3');
    expect(one).toBeGreaterThan(0);
    expect(stream.writableLength).toBeGreaterThan(one);
    await new Promise(setImmediate);
    expect(stream.writableLength).toBe(0);
    expect(await Promise.all([first, second])).toEqual([2, 3]);
  });
});

/** @tier test */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { PostgresIdempotencyKeys, PostgresUnitOfWork } from '#adapters/postgres';
import { suiteDatabase } from '../support/suite-database.ts';

const db = await suiteDatabase();
const keys = new PostgresIdempotencyKeys(db.database);
const unitOfWork = new PostgresUnitOfWork(db.database);

describe('idempotency keys on PostgreSQL', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const keptSince = new Date('2026-11-20T12:00:00Z');
  const newKey = (caller = 'user:1') => ({ caller, hash: randomBytes(32) });
  const response = { requestHash: Buffer.from('request'), status: 201, sealed: Buffer.from([0, 255, 1]) };

  it('are found again with the response that was kept, by the same caller only', async () => {
    const key = newKey();
    expect(await keys.take(key, keptSince)).toBe(null);
    expect(await keys.keep(key, response, now, keptSince)).toBe(true);
    expect(await keys.take(key, keptSince)).toEqual(response);
    expect(await keys.take({ ...key, caller: 'user:2' }, keptSince)).toBe(null);
    expect(await keys.take(newKey(), keptSince)).toBe(null);
  });

  it('are held by one unit of work at a time, until it ends', async () => {
    const key = newKey();
    const [taken, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const locking = unitOfWork.run(async () => {
      await keys.take(key, keptSince);
      taken.resolve();
      await held.promise;
    });
    await taken.promise;
    expect(await unitOfWork.run(() => keys.take(key, keptSince))).toBe('in_progress');
    expect(await unitOfWork.run(() => keys.take(newKey(), keptSince))).toBe(null);
    held.resolve();
    await locking;
    expect(await unitOfWork.run(() => keys.take(key, keptSince))).toBe(null);
  });

  it('keep their first response, until its time is over', async () => {
    const key = newKey();
    const second = { ...response, status: 202 };
    await keys.keep(key, response, now, keptSince);
    expect(await keys.keep(key, second, now, keptSince)).toBe(false);
    expect(await keys.take(key, keptSince)).toEqual(response);
    expect(await keys.take(key, now)).toBe(null);
    expect(await keys.keep(key, second, now, now)).toBe(true);
    expect(await keys.take(key, keptSince)).toEqual(second);
  });

  it('are forgotten in batches once their time is over, and not before', async () => {
    await db.query('delete from idempotency_keys');
    await db.query(
      `insert into idempotency_keys (caller, key_hash, request_hash, status, answer, created_at)
       select 'token 1', ('key ' || n)::bytea, '', 200, '', $1 from generate_series(1, 2500) n`,
      [keptSince],
    );
    await keys.keep(newKey(), response, new Date(keptSince.getTime() + 1), new Date(0));
    expect(await keys.forget(keptSince)).toBe(2500);
    expect(await keys.forget(keptSince)).toBe(0);
    expect(await db.query('select 1 from idempotency_keys')).toHaveLength(1);
  });
});

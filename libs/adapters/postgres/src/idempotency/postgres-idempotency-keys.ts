import { createHash } from 'node:crypto';
import type { Database } from '../database.ts';

/** A key as one caller uses it: another caller's same key is another one. */
export interface IdempotencyKey {
  readonly caller: string;
  readonly hash: Uint8Array;
}

/** The first answer to a request with a key. */
export interface KeptAnswer {
  readonly requestHash: Buffer;
  readonly status: number;
  /** Sealed: this table never holds an answer in plain text. */
  readonly answer: Buffer;
}

/** The answers to requests that carried an `Idempotency-Key`, each committed together with what its request did. */
export class PostgresIdempotencyKeys {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Holds the key until the surrounding unit of work ends.
   *
   * @param keptSince answers from before are as good as gone
   * @returns the answer that is kept, `null` when there is none, `in_progress` when another holds the key
   */
  async take(key: IdempotencyKey, keptSince: Date): Promise<KeptAnswer | 'in_progress' | null> {
    const row = await this.#database.one<{ taken: boolean } & Row>(
      `with lock as materialized (select pg_try_advisory_xact_lock($1) as taken)
       select lock.taken, kept.request_hash, kept.status, kept.answer
       from lock left join idempotency_keys kept
         on kept.caller = $2 and kept.key_hash = $3 and kept.created_at > $4`,
      [lockOf(key), key.caller, key.hash, keptSince],
    );
    if (!row?.taken) return 'in_progress';
    if (row.answer === null) return null;
    return { requestHash: row.request_hash, status: row.status, answer: row.answer };
  }

  /**
   * Keeps the answer, for a key that `take` holds.
   *
   * @returns false, without effect, when an answer is kept already: it was committed in the very moment of `take`
   */
  async keep(key: IdempotencyKey, answer: KeptAnswer, now: Date, keptSince: Date): Promise<boolean> {
    const rows = await this.#database.query(
      `insert into idempotency_keys as kept (caller, key_hash, request_hash, status, answer, created_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (caller, key_hash) do update
         set request_hash = excluded.request_hash, status = excluded.status, answer = excluded.answer,
             created_at = excluded.created_at
         where kept.created_at <= $7
       returning 1`,
      [key.caller, key.hash, answer.requestHash, answer.status, answer.answer, now, keptSince],
    );
    return rows.length > 0;
  }

  /**
   * Forgets the answers of before `keptSince`; returns how many.
   *
   * @param signal when aborted, its reason is thrown before the next batch
   */
  async forget(keptSince: Date, signal?: AbortSignal): Promise<number> {
    let all = 0;
    for (let forgotten = BATCH; forgotten === BATCH; all += forgotten) {
      signal?.throwIfAborted();
      const rows = await this.#database.query(
        `delete from idempotency_keys where ctid = any(array(
           select ctid from idempotency_keys where created_at <= $1
           order by created_at limit $2 for update skip locked))
         returning 1`,
        [keptSince, BATCH],
      );
      forgotten = rows.length;
    }
    return all;
  }
}

/** Forgotten at a time. */
const BATCH = 1000;

interface Row {
  readonly request_hash: Buffer;
  readonly status: number;
  readonly answer: Buffer | null;
}

/** 64 bits: two keys with one lock only wait in vain for each other, and hardly ever are. */
function lockOf({ caller, hash }: IdempotencyKey): string {
  return createHash('sha256').update(caller).update('\0').update(hash).digest().readBigInt64BE().toString();
}

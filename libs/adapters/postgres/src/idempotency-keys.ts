import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { build, prepared } from './prepared.ts';
import { deleteEnded, deleteInGroups } from './retention.ts';
import { excluded } from './shapes.ts';

/** A key of one caller. Keys of different callers are independent. */
export interface IdempotencyKey {
  readonly caller: string;
  readonly hash: Uint8Array;
}

/** The first response to a request with a key. */
export interface KeptResponse {
  readonly requestHash: Uint8Array;
  readonly status: number;
  /** The encrypted body: the table never holds a response in plain text. */
  readonly sealed: Uint8Array;
}

/** Stores the responses to requests with an `Idempotency-Key`, each in the transaction of its request. */
export class PostgresIdempotencyKeys {
  constructor(private readonly database: Database) {}

  /**
   * Locks the key until the surrounding unit of work ends; outside of one it only looks it up.
   *
   * @param keptSince older responses have expired
   * @returns the stored response, `null` without one, or `in_progress` if another request has locked the key
   */
  async take({ caller, hash }: IdempotencyKey, keptSince: Date): Promise<KeptResponse | 'in_progress' | null> {
    const row = await this.database.one(takeKey, { lock: lockOf({ caller, hash }), caller, hash, keptSince });
    if (!row?.taken) return 'in_progress';
    const { request_hash: requestHash, status, answer: sealed } = row;
    return requestHash && sealed && status !== null ? { requestHash, status, sealed } : null;
  }

  /**
   * Stores the response for a key that `take` has locked.
   *
   * @returns false, without effect, if another request has committed a response during `take`
   */
  keep(key: IdempotencyKey, response: KeptResponse, now: Date, keptSince: Date): Promise<boolean> {
    return this.database.any(keepResponse, { ...key, ...response, now, keptSince });
  }

  /**
   * Deletes the responses from before `keptSince` and returns their number.
   *
   * @param signal when aborted, its reason is thrown before the next batch
   */
  forget(keptSince: Date, signal?: AbortSignal): Promise<number> {
    return deleteInGroups(this.database, forgetKeys, keptSince, signal);
  }
}

/** A lock of 64 bits. Two keys may share a lock, which is rare and harmless. */
function lockOf({ caller, hash }: IdempotencyKey): string {
  return createHash('sha256').update(caller).update('\0').update(hash).digest().readBigInt64BE().toString();
}

const takeKey = prepared<IdempotencyKey & { readonly lock: string; readonly keptSince: Date }>()((param) =>
  build
    .with(
      (cte) => cte('lock').materialized(),
      (db) => db.selectNoFrom(sql<boolean>`pg_try_advisory_xact_lock(${param('lock')}::bigint)`.as('taken')),
    )
    .selectFrom('lock')
    .leftJoin('idempotency_keys as kept', (join) =>
      join
        .on('kept.caller', '=', param('caller'))
        .on('kept.key_hash', '=', sql<Buffer>`${param('hash')}`)
        .on('kept.created_at', '>', param('keptSince')),
    )
    .select(['lock.taken', 'kept.request_hash', 'kept.status', 'kept.answer']),
);

const keepResponse = prepared<IdempotencyKey & KeptResponse & { readonly now: Date; readonly keptSince: Date }>()(
  (param) =>
    build
      .insertInto('idempotency_keys')
      .values({
        caller: param('caller'),
        key_hash: sql<Buffer>`${param('hash')}`,
        request_hash: param('requestHash'),
        status: param('status'),
        answer: param('sealed'),
        created_at: param('now'),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['caller', 'key_hash'])
          .doUpdateSet(excluded('idempotency_keys', 'request_hash', 'status', 'answer', 'created_at'))
          .where('idempotency_keys.created_at', '<=', param('keptSince')),
      )
      .returning('idempotency_keys.caller'),
);

const forgetKeys = deleteEnded('idempotency_keys', 'ctid', sql.ref('created_at'));

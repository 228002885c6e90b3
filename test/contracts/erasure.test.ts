/** @tier test, 15 s */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PostgresAudit,
  PostgresDeletions,
  PostgresDiscardedFiles,
  PostgresUploadRecords,
  PostgresErasedWorkspaces,
  PostgresErasures,
} from '#adapters/postgres';
import { ErasureRuns } from '#erasure';
import type { ObjectStorage } from '#files';
import type { Email } from '#identity';
import { JobPostponed, systemClock } from '#kernel';
import { InMemoryObjectStorage, storedKeys } from '#testing/files';
import { fileRecords, objectStorage } from '#wiring';
import { GenerationStage } from '../support/generation-store.ts';
import { inEveryCrash, type Lifeline } from '../support/lifeline.ts';
import { Product } from '../support/product.ts';
import { tracesOf } from '../support/traces-of.ts';
const { signal } = new AbortController();
const WORD = 'lovelace';
const EMAIL = `${WORD}@example.com` as Email;

let storage: ObjectStorage;
const stage = await GenerationStage.open({ clock: systemClock });
afterAll(() => stage.close());
beforeEach(async () => {
  storage = new InMemoryObjectStorage(systemClock);
  await stage.enter();
});

const query = <Row>(text: string, values: unknown[] = []) => stage.db.query<Row>(text, values);

/** The job in a process with this lifeline. */
function erasureRuns(lifeline: Pick<Lifeline, 'wrap'> = { wrap: (port) => port }): ErasureRuns {
  const stores = [fileRecords, PostgresDiscardedFiles, PostgresUploadRecords, PostgresDeletions];
  return new Product(stage.db, { clock: systemClock, storage })
    .mortal(lifeline, ...stores, objectStorage, PostgresErasures, PostgresErasedWorkspaces)
    .get(ErasureRuns);
}

/** Saves the request of an erasure, as the use case does. */
async function request(email = EMAIL): Promise<void> {
  const { userId, workspaceId } = stage.actor;
  const erasures = new PostgresErasures(stage.db.database);
  await stage.unitOfWork.run(async () => {
    await erasures.lockSurroundings(userId, email);
    await erasures.lockBelongings(userId);
    const requested = { state: 'requested', userId, requestedAt: new Date(), workspaceIds: [workspaceId] } as const;
    await erasures.request(requested, email, []);
  });
}

const run = (runs = erasureRuns()) => runs.run(stage.actor.userId, signal);

/** Files with bytes: of a persona, of none, and one that was deleted with a grace period; a board, and generations. */
async function moveIn(email = EMAIL): Promise<void> {
  const { userId, workspaceId } = stage.actor;
  await query('update users set email = $1, name = $2 where id = $3', [email, WORD, userId]);
  await query('update personas set name = $1 where workspace_id = $2', [WORD, workspaceId]);
  const png = { contentType: 'image/png' };
  for (const personaId of [stage.personaId, null]) {
    const key = `files/${WORD}-${userId}-${personaId}/${WORD}.png`;
    await storage.put(key, { bytes: Buffer.from('image/png') }, png);
    await query(
      `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at)
       values ($1, $2, $3, $4, $5, 9, 'image/png', now())`,
      [workspaceId, personaId, personaId === null ? 'import' : 'upload', key, `${WORD}.png`],
    );
  }
  await addKeptBytes();
  await query(`insert into boards (workspace_id, created_by, name, created_at) values ($1, $2, $3, now())`, [
    workspaceId,
    userId,
    WORD,
  ]);
  // Actions of theirs in another workspace, and of an operator in theirs.
  await query(
    `insert into audit_log (workspace_id, user_id, actor, at, action, target_type, target_id, details, address, target_name)
     values (0, $1::bigint, 'user', now(), 'account.sign_in', 'user', $1::bigint, '{}', $3::text, null),
            ($2::bigint, null, 'operator', now(), 'board.delete', 'board', 0, '{}', null, $3::text)`,
    [userId, workspaceId, WORD],
  );
  await query(
    `insert into jobs (name, payload, due_at, created_at, workspace_id)
     values ('webhook.deliver', '{"deliveryId":0,"revision":0}', now() + interval '1 hour', now(), $1)`,
    [workspaceId],
  );
  await stage.request({ prompt: WORD });
  const ended = await stage.request({ prompt: WORD });
  await stage.generations.cancel(stage.actor, ended.id!);
}

/** Bytes of a file that was deleted, with a grace period. */
async function addKeptBytes(): Promise<void> {
  const { userId, workspaceId } = stage.actor;
  const key = `kept/${WORD}-${userId}/${WORD}.png`;
  await storage.put(key, { bytes: Buffer.from('image/png') }, { contentType: 'image/png' });
  await query(`insert into discarded_objects (key, workspace_id, due_at) values ($1, $2, now() + interval '7 days')`, [
    key,
    workspaceId,
  ]);
}

async function expectNothingLeft(): Promise<void> {
  expect(await tracesOf(stage.db, WORD)).toEqual([]);
  expect(await storedKeys(storage)).toEqual([]);
  const { workspaceId } = stage.actor;
  expect(await query('select from workspaces where id = $1', [workspaceId])).toEqual([]);
  expect(await query('select from jobs where workspace_id = $1', [workspaceId])).toEqual([]);
  expect(await query('select from users where id = $1 and erased_at is not null', [stage.actor.userId])).toHaveLength(
    1,
  );
  expect(await new PostgresAudit(stage.db.database).findings()).toEqual([]);
}

describe('the job of an erasure', () => {
  it('erases the workspace, its files without a grace period, and the person', async () => {
    await moveIn();
    await request();
    await run();
    await expectNothingLeft();
    await run();
    await expectNothingLeft();
  });

  it('ends at last, wherever its worker dies', async () => {
    await inEveryCrash(
      async (lifeline) => {
        await stage.enter();
        await moveIn();
        await request();
        await run(erasureRuns(lifeline));
      },
      async () => {
        await run();
        await expectNothingLeft();
      },
    );
  });

  it('leaves an erasure that was not requested', async () => {
    await moveIn();
    await run();
    expect((await tracesOf(stage.db, WORD)).length).toBeGreaterThan(3);
    await request();
    await run();
  });

  it('releases the credits of an open generation once, and waits until its provider has canceled it', async () => {
    await moveIn();
    const { id } = await stage.request({ prompt: WORD });
    await query(
      `insert into submissions (generation_id, provider, request_key, attempt, state, intended_at, give_up_at)
       values ($1, 'far', gen_random_uuid(), 0, 'intended', now(), now() + interval '1 hour')`,
      [id],
    );
    await request();
    for (let times = 0; times < 2; times++) await expect(run()).rejects.toThrow(JobPostponed);
    const entries = await query('select kind from credit_entries where generation_id = $1 order by id', [id]);
    expect(entries).toEqual([{ kind: 'reserve' }, { kind: 'release' }]);
    expect(await query('select state from submissions where generation_id = $1', [id])).toEqual([
      { state: 'canceling' },
    ]);
    await query(`update submissions set state = 'closed' where generation_id = $1`, [id]);
    await run();
    await expectNothingLeft();
  });

  it('deletes the bytes of deleted files, also when no file is left', async () => {
    await query('update users set email = $1 where id = $2', [EMAIL, stage.actor.userId]);
    await addKeptBytes();
    await request();
    await run();
    await expectNothingLeft();
  });

  it('takes along what a request adds while the erasure is requested', async () => {
    await moveIn();
    await request();
    await stage.request({ prompt: WORD });
    await query(
      `insert into api_tokens (user_id, name, hash, created_at) values ($1, $2, decode('00', 'hex'), now())`,
      [stage.actor.userId, WORD],
    );
    await run();
    await expectNothingLeft();
  });

  it('reports an erasure without a job to the audit', async () => {
    await moveIn();
    await request();
    const rules = (await new PostgresAudit(stage.db.database).findings()).map(({ rule }) => rule);
    expect(rules).toContain('unfinished erasure without a job');
    await run();
  });
});

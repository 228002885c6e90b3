/** @tier test, 15 s */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AUDIT_RULES, PostgresAccounts, PostgresAudit } from '#adapters/postgres';
import { someone } from '#testing/identity';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const FILE = `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at)`;
const GENERATION = `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at)`;
const SUBMISSION = `insert into submissions
  (generation_id, provider, request_key, attempt, state, intended_at, give_up_at, next_check_at)`;
const ENTRY = `insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at)`;

/** Two workspaces, 1 and 2; the first has a row of each kind. */
const WELL = [
  `insert into personas (workspace_id, created_by, name, created_at, updated_at)
   values (1, 1, 'Ada', now(), now()), (2, 2, 'Bea', now(), now())`,
  `${FILE} values (1, 1, 'upload', 'files/a/a.png', 'a.png', 1, 'image/png', now()),
    (1, 1, 'output', 'files/b/b.png', 'b.png', 1, 'image/png', now() - interval '1 day')`,
  `${GENERATION} values (1, 1, 'a-model', 'image', 'succeeded', '{}', 4, now()),
    (1, 1, 'a-model', 'image', 'queued', '{}', 4, now()),
    (1, 1, 'a-model', 'image', 'running', '{}', 4, now()),
    (1, 1, 'a-model', 'image', 'canceled', '{}', 4, now())`,
  `${SUBMISSION} values (3, 'vendor', gen_random_uuid(), 1, 'submitted', now(), now(), now()),
    (4, 'vendor', gen_random_uuid(), 1, 'canceling', now(), now(), null)`,
  `insert into generation_outputs (generation_id, position, file_id) values (1, 0, 2)`,
  `${FILE} values (1, 1, 'output', 'files/c/c.webp', 'c.webp', 1, 'image/webp', now() - interval '1 day')`,
  'update files set picture_id = 2 where id = 3',
  // The numbers of other files stay as they are.
  `insert into files (id, workspace_id, origin, key, filename, size, content_type, created_at) overriding system value
   values (99, 1, 'output', 'files/d/d.webp', 'd.webp', 1, 'image/webp', now() - interval '1 day')`,
  `update files set picture_id = 1 where id = 99`,
  `update files set thumbnails = '[{"key": "files/d/d.webp", "width": 1, "height": 1}]' where id = 1`,
  // A variant of a picture, and one of its thumbnail.
  `insert into files (id, workspace_id, origin, key, filename, size, content_type, created_at, picture_id)
   overriding system value values
    (97, 1, 'output', 'files/e/e.webp', 'e.webp', 1, 'image/webp', now() - interval '1 day', 1),
    (98, 1, 'output', 'files/f/f.webp', 'f.webp', 1, 'image/webp', now() - interval '1 day', 1)`,
  `insert into file_variants (source_id, options, file_id) values (1, 'w=64', 97), (99, 'w=64', 98)`,
  `update generations set webhook = 'https://example.com', finished_at = now() where id = 1`,
  `insert into webhook_deliveries (workspace_id, generation_id, url, message_id, state, next_attempt_at, created_at)
   values (1, 1, 'https://example.com', 'msg', 'pending', now(), now())`,
  `insert into events (workspace_id, number, type, subject_id, facts, data, created_at)
   values (1, 1, 'board.created', '1', '{}', '{}', now())`,
  `insert into webhook_endpoints (workspace_id, url, is_active, secret, run, is_running, created_at)
   values (1, 'https://example.com', true, 'whsec_', 1, true, now())`,
  `insert into webhook_deliveries
     (workspace_id, endpoint_id, event_seq, subject, url, message_id, state, next_attempt_at, created_at)
   values (1, 1, 1, 'board:1', 'https://example.com', 'msg', 'pending', now(), now())`,
  `${ENTRY} values ('reserve:1', 1, 1, 1, '2026-03-01', 'reserve', 4, now()),
    ('end:1', 1, 1, 1, '2026-03-01', 'settle', 0, now()), ('reserve:2', 1, 1, 2, '2026-03-01', 'reserve', 4, now()),
    ('reserve:3', 1, 1, 3, '2026-03-01', 'reserve', 4, now()), ('reserve:4', 1, 1, 4, '2026-03-01', 'reserve', 4, now()),
    ('end:4', 1, 1, 4, '2026-03-01', 'release', -4, now())`,
  `insert into credit_months (workspace_id, month, used) values (1, '2026-03-01', 12)`,
  `insert into credit_usage (workspace_id, month, user_id, used, generations) values (1, '2026-03-01', 1, 12, 3)`,
  `insert into jobs (name, payload, due_at, created_at) values
    ('generation.run', '{"generationId": 2}', now(), now()),
    ('submission.cancel', '{"generationId": 4}', now(), now()),
    ('training.process', '{"trainingId": 1, "pictureVersion": 1}', now(), now()),
    ('media.process', '{"mediaId": 1, "revision": 1}', now(), now()),
    ('webhook.deliver', '{"deliveryId": 1, "revision": 1}', now(), now()),
    ('webhook.endpoint', '{"endpointId": 1, "run": 1}', now(), now()),
    ('share.mark', '{"shareId": 1, "mediaIds": [1]}', now(), now()),
    ('invitation.send', '{"invitationId": 1}', now(), now())`,
  `insert into invitations (workspace_id, email, role, invited_by, created_at, expires_at)
   values (1, 'ada@example.com', 'member', 1, now(), now() + interval '7 days')`,
  `update generations set persona_id = 1`,
  `insert into trainings (workspace_id, persona_id, source_url, state, created_at, picture_version)
   values (1, 1, 'https://example.com', 'created', now(), 1)`,
  `insert into styles (workspace_id, persona_id, name, model, trigger, slots, created_at)
   values (1, 1, 'A style', 'a-model', 'x12abcdefgh', '', now())`,
  `update generations set kind = 'style', style_id = 1 where id = 4`,
  `insert into boards (workspace_id, created_by, name, folders_count, media_count, created_at)
   values (1, 1, 'Board', 2, 1, now())`,
  `insert into folders (board_id, name, created_at) values (1, 'outer', now())`,
  `insert into folders (board_id, parent_id, name, created_at) values (1, 1, 'inner', now())`,
  `insert into media (board_id, folder_id, created_by, state, created_at)
   values (1, 2, 1, 'created', now())`,
  `insert into media_files (media_id, file_id) values (1, 1)`,
  `insert into shares (workspace_id, created_by, hash, name, board_id, allow, watermark, created_at)
   values (1, 1, '\\x00', 'Board', 1, '{}', 'Draft', now()), (1, 1, '\\x01', 'Board', null, '{}', 'Draft', now())`,
  `insert into share_media (share_id, media_id) values (2, 1)`,
  `insert into share_pictures (share_id, media_id) values (1, 1)`,
  `insert into share_pictures (share_id, media_id, state, whole) values (2, 1, 'made', '{"key": "files/a/a.png"}')`,
  `insert into share_picture_files (file_id, share_id, media_id) values (1, 2, 1)`,
  // Generation 1 is the cell of a batch that has ended, 2 that of a batch that is being canceled.
  `insert into batches (workspace_id, user_id, name, state, webhook, total, cost, created_at, ended_at) values
    (1, 1, 'Ended', 'ended', 'https://example.com', 1, 4, now(), now()),
    (1, 1, 'Canceling', 'canceling', null, 1, 4, now(), null)`,
  `update generations set batch_id = id, cell = 1 where id in (1, 2)`,
  `insert into webhook_deliveries (workspace_id, batch_id, url, message_id, state, created_at)
   values (1, 1, 'https://example.com', 'msg', 'delivered', now())`,
  `insert into jobs (name, payload, due_at, created_at) values ('batch.cancel', '{"batchId": 2}', now(), now())`,
];

/** Deletes something, so that it can be restored for a day. */
const deleted = (change: string, expiresAt = `now() + interval '1 day'`) => `with entry as (
  insert into trash (workspace_id, kind, item_id, deleted_by, deleted_at, expires_at)
  values (1, 'media', 1, 1, now(), ${expiresAt}) returning id) ${change}`;

/** Faults, each with a statement that causes it. */
const WRONGS: readonly (readonly [string, string])[] = [
  ['credit sums differ from the ledger', `update credit_months set used = 9`],
  ['stored bytes of a workspace are wrong', `update storage_use set bytes = bytes + 1`],
  ['stored bytes of a workspace are wrong', `delete from storage_use where workspace_id = 2`],
  [
    'generation with a missing or repeated reservation, charge or release',
    `${ENTRY} values ('again', 1, 1, 2, '2026-03-01', 'settle', 0, now())`,
  ],
  [
    'file of a private workspace still has its bytes at the public place, or the reverse',
    `update workspaces set files = 'private' where id = 1`,
  ],
  [
    'file of a private workspace still has its bytes at the public place, or the reverse',
    'update files set is_private = true where id = 1',
  ],
  ['cost of a generation differs from its charge', `update generations set cost = 3 where state = 'succeeded'`],
  ['outputs of a generation contradict its state', `delete from generation_outputs`],
  ['style contradicts the state of its training', `update styles set file_id = 1`],
  ['style contradicts the state of its training', `update generations set style_id = null`],
  ['output file without a generation', `delete from generation_outputs`],
  ['output file without a generation', 'update files set picture_id = null where id = 3'],
  [
    'unfinished generation without a job or a check at its provider',
    `with moved as (update batches set state = 'running' where id = 2) delete from jobs where name = 'generation.run'`,
  ],
  ['state of a batch contradicts its cells', `update batches set state = 'ended', ended_at = now() where id = 2`],
  ['state of a batch contradicts its cells', `update batches set state = 'running', ended_at = null where id = 1`],
  ['state of a batch contradicts its cells', `update generations set cell = null where id = 2`],
  ['batch that is being canceled without a job', `delete from jobs where name = 'batch.cancel'`],
  ['ended batch without a webhook delivery', `delete from webhook_deliveries where batch_id = 1`],
  ['reference into another workspace', `update batches set workspace_id = 2 where id = 1`],
  ['reference into another workspace', `update webhook_deliveries set workspace_id = 2 where batch_id = 1`],
  ['unfinished generation without a job or a check at its provider', `update submissions set next_check_at = null`],
  [
    'state of a submission contradicts its generation',
    `update submissions set state = 'closed' where generation_id = 3`,
  ],
  ['state of a submission contradicts its generation', `update submissions set state = 'ended'`],
  ['cancellation at a provider without a job', `delete from jobs where name = 'submission.cancel'`],
  ['expired trash entry not deleted', deleted('select', `now() - interval '25 hours'`)],
  [
    'folder or media item in a deleted folder not deleted',
    deleted(
      `, board as (update boards set folders_count = 1)
       update folders set deletion_id = entry.id from entry where folders.id = 2`,
    ),
  ],
  [
    'folder or media item in a deleted folder not deleted',
    deleted(
      `, item as (update media set deletion_id = entry.id from entry),
       board as (update boards set folders_count = 1, media_count = 0)
       update folders set deletion_id = entry.id from entry where folders.id = 1`,
    ),
  ],
  ['deleted file still in use', deleted('update files set deletion_id = entry.id from entry where files.id = 1')],
  ['deleted file still in use', deleted('update files set deletion_id = entry.id from entry where files.id = 99')],
  [
    'thumbnail of a deleted file not deleted',
    deleted('update files set deletion_id = entry.id from entry where files.id = 1'),
  ],
  ['picture without one of its thumbnails', 'update files set picture_id = null where id = 99'],
  ['variant with the file of another picture', 'update files set picture_id = 2 where id = 97'],
  ['variant with the file of another picture', 'update files set picture_id = 99 where id = 98'],
  [
    'library contradicts its files',
    `alter table library_items disable trigger user;
     insert into library_items (file_id, workspace_id, kind, origin, colors, words, created_at)
     select id, workspace_id, 'image', origin, '{1}', '', now() from files where id = 2`,
  ],
  ['reference into another workspace', 'update files set workspace_id = 2 where id = 99'],
  ['library contradicts its files', 'update library_filling set passes_left = 0'],
  ['picture for guests without a job or without its files', `delete from jobs where name = 'share.mark'`],
  [
    'picture for guests without a job or without its files',
    `alter table share_picture_files disable trigger user; delete from share_picture_files`,
  ],
  ['unprocessed training or media item without a job', `delete from jobs where name = 'training.process'`],
  ['unprocessed training or media item without a job', `update media set revision = 2`],
  ['unfinished erasure without a job', 'update users set email = null, erasure_requested_at = now() where id = 2'],
  [
    'erased person with a way to sign in or a workspace',
    'update users set email = null, erasure_requested_at = now(), erased_at = now() where id = 2',
  ],
  ['unsent invitation mail without a job', `delete from jobs where name = 'invitation.send'`],
  ['ended generation without a webhook delivery', `delete from webhook_deliveries`],
  ['pending webhook delivery without a job', `update webhook_deliveries set revision = 2`],
  ['pending delivery to an active endpoint without a job', `update webhook_endpoints set run = 2`],
  ['reference into another workspace', `update webhook_deliveries set workspace_id = 2`],
  [
    'workspace without exactly one owner',
    `insert into workspaces (kind, plan, created_at) values ('personal', 'free', now())`,
  ],
  ['member count of a workspace is wrong', `update workspaces set members_count = 3 where id = 1`],
  ['folder or media count of a board is wrong', `update boards set media_count = 0`],
  [
    'versions of a media item are wrong',
    `insert into media_reviews (media_id, earlier) values (1, '{2}') on conflict (media_id) do update set earlier = '{2}'`,
  ],
  ['folder not reachable from its board', `update folders set parent_id = 2 where id = 1`],
  ['reference into another workspace', `update files set workspace_id = 2 where id = 1`],
  ['reference into another workspace', `update shares set workspace_id = 2 where id = 1`],
  ['reference into another workspace', `update shares set workspace_id = 2 where id = 2`],
  ['reference into another workspace', `update trainings set workspace_id = 2`],
  ['reference into another workspace', `update styles set workspace_id = 2`],
  [
    'reference into another workspace',
    `update generations set parent_id = 1, parent_output = 0, workspace_id = 2 where id = 2`,
  ],
  [
    'reference into another workspace',
    `with foreign_file as (${FILE} values (2, 2, 'upload', 'files/d/d.png', 'd.png', 1, 'image/png', now()) returning id)
     insert into generation_inputs (generation_id, input, position, file_id) select 2, 'mask', 1, id from foreign_file`,
  ],
];

describe('the audit', () => {
  let db: TestDatabase;
  let audit: PostgresAudit;
  beforeEach(async () => {
    db = await createDatabase();
    audit = new PostgresAudit(db.database);
    const accounts = new PostgresAccounts(db.database);
    for (const user of [someone(), someone()]) await accounts.open(user);
    for (const statement of WELL) await db.query(statement);
  });
  afterEach(() => db.drop());

  it('finds nothing in a correct database', async () => {
    expect(await audit.findings()).toEqual([]);
  });

  it.each(WRONGS)('finds "%s" after: %s', async (rule, wrong) => {
    await db.query(wrong);
    const findings = await audit.findings();
    const finding = findings.find((each) => each.rule === rule);
    expect(finding?.found).toBeGreaterThan(0);
    expect(finding?.examples.length).toBeGreaterThan(0);
    // The audit changes nothing.
    expect(await audit.findings()).toEqual(findings);
  });

  it('counts all exceptions and shows some', async () => {
    await db.query(
      `${GENERATION} select 1, 1, 'a-model', 'image', 'queued', '{}', 4, now() from generate_series(1, 8)`,
    );
    const findings = await audit.findings(3);
    expect(findings.length).toBeGreaterThan(0);
    for (const { found, examples } of findings) expect([found, examples.length]).toEqual([8, 3]);
  });

  it('finds each fault in a test', () => {
    expect(Object.keys(AUDIT_RULES).sort()).toEqual([...new Set(WRONGS.map(([rule]) => rule))].sort());
  });
});

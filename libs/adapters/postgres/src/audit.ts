import { sql } from 'kysely';
import type { Audit, AuditFinding } from '#audit';
import { CREDIT_FAULTS } from './credits/postgres-credit-audit.ts';
import type { Database } from './database.ts';

/** The faults that the audit detects, with the statement that selects faulty rows. See `docs/operations.md`. */
export const AUDIT_RULES: Readonly<Record<string, string>> = {
  'credit sums differ from the ledger': CREDIT_FAULTS,

  'stored bytes of a workspace are wrong': `
    select w.id as workspace, s.bytes as counted, coalesce(f.bytes, 0) as stored
    from workspaces w
    left join storage_use s on s.workspace_id = w.id
    left join (
      select workspace_id, sum(size) as bytes from files where deletion_id is null group by workspace_id
    ) f on f.workspace_id = w.id
    where s.bytes is distinct from coalesce(f.bytes, 0)`,

  'generation with a missing or repeated reservation, charge or release': `
    select g.id, g.state, coalesce(e.reserved, 0) as reserved, coalesce(e.charged, 0) as charged,
      coalesce(e.released, 0) as released
    from generations g
    left join (
      select generation_id, count(*) filter (where kind = 'reserve') as reserved,
        count(*) filter (where kind = 'settle') as charged, count(*) filter (where kind = 'release') as released
      from credit_entries where generation_id is not null group by generation_id
    ) e on e.generation_id = g.id
    where coalesce(e.reserved, 0) <> 1
      or coalesce(e.charged, 0) <> (g.state = 'succeeded')::integer
      or coalesce(e.released, 0) <> (g.state in ('failed', 'canceled'))::integer`,

  'cost of a generation differs from its charge': `
    select g.id, g.state, g.cost, e.amount from generations g
    join (
      select generation_id, sum(amount) as amount from credit_entries
      where kind in ('reserve', 'settle') group by generation_id
    ) e on e.generation_id = g.id
    where e.amount <> g.cost`,

  'outputs of a generation contradict its state': `
    select g.id, g.state from generations g
    left join (select distinct generation_id from generation_outputs) o on o.generation_id = g.id
    where (o.generation_id is not null and g.state <> 'succeeded')
      -- The outputs of a persona are deleted with it, and others from the library.
      or (o.generation_id is null and g.state = 'succeeded' and g.kind <> 'style' and not g.outputs_deleted and exists (
        select from personas p where p.id = g.persona_id and p.deletion_id is null))`,

  'style contradicts the state of its training': `
    select s.id, g.state from styles s left join generations g on g.style_id = s.id and g.kind = 'style'
    where s.deleted_at is null and (g.id is null or (s.file_id is not null) <> (g.state = 'succeeded'))`,

  'output file without a generation': `
    select f.id, f.key from files f
    left join generation_outputs o on o.file_id = f.id
    where f.origin = 'output' and o.file_id is null and f.picture_id is null
      and not exists (select from styles s where s.file_id = f.id)
      and not exists (select from generation_inputs i where i.file_id = f.id)
      and not exists (select from trainings g where g.file_id = f.id)
      and not exists (select from media_files m where m.file_id = f.id)
      and f.created_at < now() - interval '2 hours'`,

  'unfinished generation without a job or a check at its provider': `
    select g.id, g.state from generations g
    where g.state in ('queued', 'running') and not exists (
      select from jobs j where j.name in ('generation.run', 'generation.finish')
      and (j.payload ->> 'generationId')::bigint = g.id)
    -- A pause and a cancel withdraw the jobs of cells.
    and not (g.state = 'queued' and exists (
      select from batches b where b.id = g.batch_id and b.state in ('paused', 'canceling')))
    and not exists (
      select from submissions s
      where s.generation_id = g.id and s.state = 'submitted' and s.next_check_at is not null)`,

  'state of a batch contradicts its cells': `
    select b.id, b.state, c.open, c.cells, b.total from batches b, lateral (
      select count(*) as cells, count(*) filter (where g.state in ('queued', 'running')) as open
      from generations g where g.batch_id = b.id and g.cell is not null) c
    where (b.state = 'ended') <> (c.open = 0)
      -- The cells of an erased workspace are deleted before their batch.
      or (c.cells <> b.total and not exists (
        select from workspaces w where w.id = b.workspace_id and w.erasure_requested_at is not null))`,

  'batch that is being canceled without a job': `
    select b.id from batches b
    where b.state = 'canceling' and not exists (
      select from jobs j where j.name = 'batch.cancel' and (j.payload ->> 'batchId')::bigint = b.id)`,

  'ended batch without a webhook delivery': `
    select b.id from batches b
    where b.webhook is not null and b.state = 'ended' and b.ended_at > now() - interval '29 days'
      and not exists (select from webhook_deliveries d where d.batch_id = b.id)
      and not exists (select from events e where e.workspace_id = b.workspace_id and e.type = 'batch.ended'
        and e.subject_id = b.id::text and e.number is null)`,

  'state of a submission contradicts its generation': `
    select s.generation_id, s.state, g.state as generation
    from submissions s join generations g on g.id = s.generation_id
    where (g.state in ('queued', 'running')) <> (s.state in ('intended', 'unknown', 'submitted', 'ended'))`,

  'cancellation at a provider without a job': `
    select s.generation_id, s.state from submissions s
    where s.state = 'canceling' and not exists (
      select from jobs j
      where j.name = 'submission.cancel' and (j.payload ->> 'generationId')::bigint = s.generation_id)`,

  'unprocessed training or media item without a job': `
    select 'training' as kind, t.id from trainings t
    join personas p on p.id = t.persona_id and p.deletion_id is null
    where t.state = 'created' and not exists (
      select from jobs j where j.name = 'training.process' and (j.payload ->> 'trainingId')::bigint = t.id
        and (j.payload ->> 'pictureVersion')::integer = t.picture_version)
    union all
    select 'media', m.id from media m
    join boards b on b.id = m.board_id and b.deletion_id is null
    where m.deletion_id is null and m.state = 'created' and not exists (
      select from jobs j where j.name = 'media.process' and (j.payload ->> 'mediaId')::bigint = m.id
        and (j.payload ->> 'revision')::integer = m.revision)`,

  'unsent invitation mail without a job': `
    select i.id from invitations i
    where i.state = 'pending' and i.delivery = 'waiting' and i.expires_at > now() and not exists (
      select from jobs j where j.name = 'invitation.send' and (j.payload ->> 'invitationId')::bigint = i.id)`,

  'ended generation without a webhook delivery': `
    select g.id, g.state from generations g
    where g.webhook is not null and g.state in ('succeeded', 'failed', 'canceled')
      and g.finished_at > now() - interval '29 days'
      and not exists (select from webhook_deliveries d where d.generation_id = g.id)
      and not exists (select from events e where e.workspace_id = g.workspace_id and e.type = 'generation.' || g.state
        and e.subject_id = g.id::text and e.number is null)`,

  'pending webhook delivery without a job': `
    select d.id, d.revision from webhook_deliveries d
    where d.state = 'pending' and d.endpoint_id is null and not exists (
      select from jobs j where j.name = 'webhook.deliver' and (j.payload ->> 'deliveryId')::bigint = d.id
        and (j.payload ->> 'revision')::integer = d.revision)`,

  'pending delivery to an active endpoint without a job': `
    select d.id, e.id as endpoint from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where d.state = 'pending' and e.is_active and not exists (
      select from jobs j where j.name = 'webhook.endpoint' and (j.payload ->> 'endpointId')::bigint = e.id
        and (j.payload ->> 'run')::bigint = e.run)`,

  'expired trash entry not deleted': `
    select t.id, t.kind, t.item_id from trash t where t.expires_at < now() - interval '1 day'`,

  'folder or media item in a deleted folder not deleted': `
    select 'folder' as kind, f.id from folders f
    join folders parent on parent.id = f.parent_id
    where f.deletion_id is null and parent.deletion_id is not null
    union all
    select 'media', m.id from media m
    join folders f on f.id = m.folder_id where m.deletion_id is null and f.deletion_id is not null`,

  'deleted file still in use': `
    select 'media' as kind, f.id from files f
    join media_files mf on mf.file_id = f.id
    join media m on m.id = mf.media_id and m.deletion_id is null
    join boards b on b.id = m.board_id and b.deletion_id is null
    where f.deletion_id is not null
    union all
    select 'training', f.id from files f
    join trainings t on t.file_id = f.id
    join personas p on p.id = t.persona_id and p.deletion_id is null
    where f.deletion_id is not null
    union all
    select 'picture for guests', f.id from files f
    join share_picture_files s on s.file_id = f.id
    join media m on m.id = s.media_id and m.deletion_id is null
    join boards b on b.id = m.board_id and b.deletion_id is null
    where f.deletion_id is not null
    union all
    select 'thumbnail', f.id from files f join files p on p.id = f.picture_id and p.deletion_id is null
    where f.deletion_id is not null`,

  'picture without one of its thumbnails': `
    select p.id, t.key from files p cross join jsonb_to_recordset(p.thumbnails) t (key text)
    where not exists (select from files f where f.key = t.key and f.picture_id = p.id)`,

  'variant with the file of another picture': `
    select v.source_id, v.options, f.key from file_variants v
    join files s on s.id = v.source_id join files f on f.id = v.file_id
    where f.picture_id is distinct from coalesce(s.picture_id, s.id)`,

  'thumbnail of a deleted file not deleted': `
    select f.id, f.key from files f join files p on p.id = f.picture_id
    where f.deletion_id is null and p.deletion_id is not null
      and not exists (select from media_files m where m.file_id = f.id)
      and not exists (select from trainings g where g.file_id = f.id)`,

  // A job that has failed for good says that nothing could be made.
  'picture for guests without a job or without its files': `
    select s.share_id, s.media_id, s.state from share_pictures s
    join media m on m.id = s.media_id and m.deletion_id is null
    join boards b on b.id = m.board_id and b.deletion_id is null
    where (s.state = 'waiting' and not exists (
        select from jobs j where j.name = 'share.mark' and (j.payload ->> 'shareId')::bigint = s.share_id
          and j.payload -> 'mediaIds' @> to_jsonb(s.media_id)))
      or (s.state = 'made' and s.whole is not null and not exists (
        select from share_picture_files f where f.share_id = s.share_id and f.media_id = s.media_id))`,

  // Files that are older than the library are added by workers, in two passes.
  'library contradicts its files': `
    select f.id, f.key from files f left join library_items i on i.file_id = f.id
    where i.workspace_id <> f.workspace_id or i.persona_id is distinct from f.persona_id and i.file_id is not null
      or i.deletion_id is distinct from coalesce(f.deletion_id, f.removal_id) and i.file_id is not null
      or (i.colors, i.shape) is distinct from (f.colors, f.shape) and i.file_id is not null
      or (i.file_id is null and f.removed_at is null and (select passes_left from library_filling) = 0
        and f.expires_at is null and f.key like 'files/%' and (f.origin = 'upload'
          or f.origin = 'output' and exists (select from generation_outputs o where o.file_id = f.id)
          or exists (select from trainings t where t.file_id = f.id)
          or exists (select from media_files mf join media m on m.id = mf.media_id
            where mf.file_id = f.id and f.key in (m.file_key, m.control_image_key))))`,

  'unfinished erasure without a job': `
    select u.id from users u
    where u.erasure_requested_at is not null and u.erased_at is null and not exists (
      select from jobs j where j.name = 'account.erase' and (j.payload ->> 'userId')::bigint = u.id)`,

  'erased person with a way to sign in or a workspace': `
    select u.id from users u
    where u.erased_at is not null and (
      exists (select from memberships m where m.user_id = u.id)
      or exists (select from api_tokens t where t.user_id = u.id)
      or exists (select from identities i where i.user_id = u.id))`,

  'workspace without exactly one owner': `
    select w.id, count(m.user_id) as owners from workspaces w
    left join memberships m on m.workspace_id = w.id and m.role = 'owner'
    group by w.id having count(m.user_id) <> 1`,

  'member count of a workspace is wrong': `
    select w.id, w.members_count, coalesce(m.members, 0) as members from workspaces w
    left join (select workspace_id, count(*) as members from memberships group by workspace_id) m
      on m.workspace_id = w.id
    where w.members_count <> coalesce(m.members, 0)`,

  'folder or media count of a board is wrong': `
    select b.id, b.folders_count, coalesce(f.folders, 0) as folders, b.media_count, coalesce(m.media, 0) as media
    from boards b
    left join (
      select board_id, count(*) as folders from folders where deletion_id is null group by board_id
    ) f on f.board_id = b.id
    left join (
      select board_id, count(*) as media from media where deletion_id is null and replaced_by is null group by board_id
    ) m on m.board_id = b.id
    where b.deletion_id is null
      and (b.folders_count, b.media_count) <> (coalesce(f.folders, 0), coalesce(m.media, 0))`,

  'versions of a media item are wrong': `
    select coalesce(v.id, r.media_id) as id, v.earlier, r.earlier as shown
    from (
      select replaced_by as id, array_agg(id order by id) as earlier from media where replaced_by is not null
      group by replaced_by
    ) v
    full join (
      select r.media_id, r.earlier from media_reviews r join media m on m.id = r.media_id
      where r.earlier <> '{}' and m.replaced_by is null
    ) r on r.media_id = v.id
    where v.earlier is distinct from r.earlier`,

  'folder not reachable from its board': `
    with recursive reachable as (
      select board_id, id from folders where parent_id is null
      union all
      select f.board_id, f.id from reachable r join folders f on f.board_id = r.board_id and f.parent_id = r.id
    )
    select id, board_id from folders except select id, board_id from reachable`,

  'reference into another workspace': `
    select 'share' as kind, s.id from shares s join boards b on b.id = s.board_id
    where b.workspace_id <> s.workspace_id
    union all
    select 'shared media', s.id from shares s join share_media i on i.share_id = s.id
    join media m on m.id = i.media_id join boards b on b.id = m.board_id
    where b.workspace_id <> s.workspace_id
    union all
    select 'training' as kind, t.id from trainings t
    join personas p on p.id = t.persona_id left join files f on f.id = t.file_id
    where t.workspace_id <> p.workspace_id or f.workspace_id <> t.workspace_id
    union all
    select 'media', m.id from media m join boards b on b.id = m.board_id
    join media_files mf on mf.media_id = m.id join files f on f.id = mf.file_id
    where f.workspace_id <> b.workspace_id
    union all
    select 'file', f.id from files f join personas p on p.id = f.persona_id where f.workspace_id <> p.workspace_id
    union all
    select 'upload', u.id from uploads u
    join personas p on p.id = u.persona_id left join files f on f.id = u.file_id
    where u.workspace_id <> p.workspace_id or f.workspace_id <> u.workspace_id
    union all
    select 'generation', g.id from generations g join personas p on p.id = g.persona_id
    where g.workspace_id <> p.workspace_id
    union all
    select 'preset', s.id from presets s join personas p on p.id = s.persona_id
    where p.workspace_id <> s.workspace_id
    union all
    select 'generation', g.id from generations g join generations parent on parent.id = g.parent_id
    where parent.workspace_id <> g.workspace_id
    union all
    select 'generation', g.id from generations g join files f on f.id in (g.image_file_id, g.style_file_id)
    where f.workspace_id <> g.workspace_id
    union all
    select 'input', g.id from generations g
    join generation_inputs i on i.generation_id = g.id join files f on f.id = i.file_id
    where f.workspace_id <> g.workspace_id
    union all
    select 'style', s.id from styles s join personas p on p.id = s.persona_id left join files f on f.id = s.file_id
    where p.workspace_id <> s.workspace_id or f.workspace_id <> s.workspace_id
    union all
    select 'style picture', s.id from styles s
    join style_pictures i on i.style_id = s.id join files f on f.id = i.file_id
    where f.workspace_id <> s.workspace_id
    union all
    select 'style of a generation', g.id from generations g join styles s on s.id = g.style_id
    where g.workspace_id <> s.workspace_id
    union all
    select 'cell', g.id from generations g join batches b on b.id = g.batch_id where g.workspace_id <> b.workspace_id
    union all
    select 'output', g.id from generations g
    join generation_outputs o on o.generation_id = g.id join files f on f.id = o.file_id
    where f.workspace_id <> g.workspace_id
    union all
    select 'thumbnail', p.id from files f join files p on p.id = f.picture_id where f.workspace_id <> p.workspace_id
    union all
    select 'webhook', d.id from webhook_deliveries d join generations g on g.id = d.generation_id
    where d.workspace_id <> g.workspace_id
    union all
    select 'webhook of a batch', d.id from webhook_deliveries d join batches b on b.id = d.batch_id
    where d.workspace_id <> b.workspace_id
    union all
    select 'credits', e.id from credit_entries e join generations g on g.id = e.generation_id
    where e.workspace_id <> g.workspace_id`,

  'file of a private workspace still has its bytes at the public place, or the reverse': `
    select f.id, f.key, w.files from files f join workspaces w on w.id = f.workspace_id
    where f.is_private is distinct from (w.files = 'private') and not w.files_misplaced`,
};

export class PostgresAudit implements Audit {
  constructor(private readonly database: Database) {}

  async findings(examples = 5): Promise<AuditFinding[]> {
    const findings: AuditFinding[] = [];
    for (const [rule, exceptions] of Object.entries(AUDIT_RULES)) {
      const { rows } = await sql<Omit<AuditFinding, 'rule'>>`
        with exceptions as materialized (${sql.raw(exceptions)})
        select (select count(*) from exceptions) as found,
          (select coalesce(json_agg(example), '[]') from (select * from exceptions limit ${examples}) example)
            as examples`.execute(this.database.kysely);
      findings.push(...rows.filter(({ found }) => found > 0).map((row) => ({ rule, ...row })));
    }
    return findings;
  }
}

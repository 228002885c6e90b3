import pg from 'pg';

/** What must be true of the database whatever happened: each statement finds the exceptions. */
const PROMISES: Readonly<Record<string, string>> = {
  'a month has spent what its ledger says': `
    select workspace_id, month, used, (
      select coalesce(sum(amount), 0) from credit_entries e
       where e.workspace_id = m.workspace_id and e.month = m.month and kind <> 'grant') as ledger
      from credit_months m
     where used <> (
      select coalesce(sum(amount), 0) from credit_entries e
       where e.workspace_id = m.workspace_id and e.month = m.month and kind <> 'grant')`,
  'what succeeded is charged once, and nothing else is': `
    select g.id, g.state, count(e.id) as charges
      from generations g left join credit_entries e on e.generation_id = g.id and e.kind = 'settle'
     group by g.id having count(e.id) <> (g.state = 'succeeded')::integer`,
  'what failed or was cancelled is given back once': `
    select g.id, g.state, count(e.id) as releases
      from generations g left join credit_entries e on e.generation_id = g.id and e.kind = 'release'
     group by g.id having count(e.id) <> (g.state in ('failed', 'canceled'))::integer`,
  'what succeeded has its outputs, and nothing else has any': `
    select g.id, g.state, count(o.*) as outputs
      from generations g left join generation_outputs o on o.generation_id = g.id
     group by g.id having (count(o.*) > 0) <> (g.state = 'succeeded')`,
  'every file of an output belongs to one': `
    select f.id from files f left join generation_outputs o on o.file_id = f.id
     where f.origin = 'output' and f.doomed_at is null and o.file_id is null
       and f.created_at < now() - interval '2 hours'`,
  'every team has one owner': `
    select w.id from workspaces w left join memberships m on m.workspace_id = w.id and m.role = 'owner'
     group by w.id having count(m.user_id) <> 1`,
  'no folder is out of reach of the root': `
    with recursive reachable as (
      select id from folders where parent_id is null
      union all select f.id from folders f join reachable r on f.parent_id = r.id)
    select id from folders where id not in (select id from reachable)`,
  'no picture is of another workspace': `
    select t.id from trainings t join personas p on p.id = t.persona_id left join files f on f.id = t.file_id
     where t.workspace_id <> p.workspace_id or f.workspace_id <> t.workspace_id
    union all
    select m.id from media m join boards b on b.id = m.board_id
      join media_files mf on mf.media_id = m.id join files f on f.id = mf.file_id
     where f.workspace_id <> b.workspace_id
    union all
    select g.id from generations g join generation_outputs o on o.generation_id = g.id
      join files f on f.id = o.file_id
     where f.workspace_id <> g.workspace_id`,
};

/** The broken promises, with the first exceptions to each; empty when all is well. */
export async function brokenPromises(databaseUrl: string): Promise<Record<string, unknown[]>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const broken: Record<string, unknown[]> = {};
    for (const [promise, exceptions] of Object.entries(PROMISES)) {
      const { rows } = await client.query(exceptions);
      if (rows.length > 0) broken[promise] = rows.slice(0, 5);
    }
    return broken;
  } finally {
    await client.end();
  }
}

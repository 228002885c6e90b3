import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Submissions are recognised by their pictures too, and none shares its vendor's job with another one. */
export class SubmissionHandles extends OnlineMigration {
  override readonly changesFewRows = 'those of the last day, and those that share a job';

  protected override readonly statements = [
    `alter table submissions add column pictures jsonb`,
    // The id had another name at each vendor. Older jobs can't be found any more.
    `update submissions set handle = handle || jsonb_build_object(
        'id', coalesce(handle -> 'request_id', handle -> 'prompt_id'))
      where handle -> 'id' is null and coalesce(handle -> 'request_id', handle -> 'prompt_id') is not null
        and (state <> 'closed' or submitted_at > now() - interval '1 day')`,
    // Of submissions with the same job the first one keeps it, and the others are given up.
    `with ranked as (
        select generation_id,
          row_number() over (partition by provider, handle ->> 'id' order by submitted_at, generation_id) as place
        from submissions where handle ->> 'id' is not null)
      update submissions set
        handle = null,
        give_up_at = case when state = 'submitted' then least(give_up_at, now()) else give_up_at end,
        next_check_at = case when state = 'submitted' then now() end
      from ranked where ranked.generation_id = submissions.generation_id and place > 1`,
  ];

  override down(): void {
    this.addSql(`alter table submissions drop column pictures`);
  }
}

/** A vendor's job belongs to one submission. */
export class UniqueSubmissionHandles extends IndexMigration {
  protected override readonly indexes = [
    { name: 'submissions_handle', on: `submissions (provider, (handle ->> 'id'))`, unique: true },
  ];

  override down(): void {
    this.addSql(`drop index concurrently submissions_handle`);
  }
}

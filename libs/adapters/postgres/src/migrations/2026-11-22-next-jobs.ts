import { Migration } from '@mikro-orm/migrations';

/** Deletes jobs that have ended and starts the next ones of their queue, in one round trip: see JobRecords. */
export class NextJobs extends Migration {
  override up(): void {
    this.addSql(`
      create function next_jobs(
        of_queue text, at_time timestamptz, workspace_limit integer, tickets text[], ids bigint[], numbers integer[],
        ended_ids bigint[], ended_numbers integer[]
      ) returns table (
        place integer, id bigint, name text, payload jsonb, workspace_id bigint,
        attempts integer, failures integer, crashes integer
      ) language plpgsql as $$
      #variable_conflict use_column
      begin
        if cardinality(ended_ids) > 0 then
          -- Starts that find these still running must wait: once this is committed, nobody looks again for them.
          perform from job_queues where queue = of_queue order by bulk for update;
          delete from jobs using (
            select jobs.id
            from jobs join unnest(ended_ids, ended_numbers) asked (id, number)
              on asked.id = jobs.id and asked.number = jobs.attempts
            order by jobs.id
            for update of jobs
          ) ended
          where jobs.id = ended.id;
        end if;
        if cardinality(tickets) > 0 then
          return query select * from start_jobs(of_queue, at_time, workspace_limit, tickets, ids, numbers);
        end if;
      end $$`);
  }

  override down(): void {
    this.addSql('drop function next_jobs');
  }
}

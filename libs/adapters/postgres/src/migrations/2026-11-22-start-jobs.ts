import { Migration } from '@mikro-orm/migrations';

/** Starts the next jobs of a queue, in one round trip: see JobRecords. */
export class StartJobs extends Migration {
  override up(): void {
    this.addSql(`
      create function start_jobs(
        of_queue text, at_time timestamptz, workspace_limit integer, tickets text[], ids bigint[], numbers integer[]
      ) returns table (
        place integer, id bigint, name text, payload jsonb, workspace_id bigint,
        attempts integer, failures integer, crashes integer
      ) language plpgsql as $$
      #variable_conflict use_column
      declare
        served integer := 0;
        started integer;
      begin
        if not exists (
          select from jobs
          where queue = of_queue and started_at is null
            and (due_at <= at_time or (id, deliveries) in (select * from unnest(ids, numbers)))
        ) then
          return;
        end if;

        -- Starts of one queue wait for each other, so that no two of them count the same running jobs.
        -- The statements after this one see what earlier starts have committed.
        perform from job_queues where queue = of_queue order by bulk for update;

        update jobs
        set turn = fresh.nth + greatest(fresh.latest, (
          select max(others.turn) + 1 from jobs others
          where others.queue = of_queue and others.workspace_id = fresh.workspace_id and others.bulk = fresh.bulk))
        from (
          select jobs.id, jobs.bulk, jobs.workspace_id, job_queues.turn as latest,
            row_number() over (partition by jobs.bulk, jobs.workspace_id order by jobs.id) - 1 as nth
          from jobs join job_queues using (queue, bulk)
          where jobs.queue = of_queue and jobs.started_at is null and jobs.turn is null
        ) fresh
        where jobs.id = fresh.id;

        loop
          return query
            with running as (
              select workspace_id, count(*) as count from jobs
              where queue = of_queue and started_at is not null
              group by workspace_id
            ), next as (
              select jobs.id, bulk, turn, jobs.workspace_id, running.count
              from jobs left join running on running.workspace_id = jobs.workspace_id
              where queue = of_queue and started_at is null and turn is not null
                and (due_at <= at_time or (jobs.id, deliveries) in (select * from unnest(ids, numbers)))
                and coalesce(running.count, 0) < workspace_limit
              order by bulk, turn, jobs.id
              limit cardinality(tickets) - served
            ), ranked as (
              select id, bulk, turn, workspace_id,
                coalesce(count, 0) + row_number() over (partition by workspace_id order by bulk, turn, id) as nth
              from next
            ), chosen as (
              select id, bulk, turn, served + row_number() over (order by bulk, turn, id) as place
              from ranked
              where workspace_id is null or nth <= workspace_limit
            ), latest as (
              update job_queues
              set turn = greatest(turn, (select max(turn) from chosen where chosen.bulk = job_queues.bulk))
              where queue = of_queue
            )
            update jobs set attempts = attempts + 1, started_at = at_time, ticket = tickets[chosen.place]
            from chosen
            where jobs.id = chosen.id
            returning chosen.place::integer, jobs.id, jobs.name, jobs.payload, jobs.workspace_id,
              jobs.attempts, jobs.failures, jobs.crashes;
          get diagnostics started = row_count;
          served := served + started;
          -- Fewer than asked for: those of a workspace that is now at its limit were left out.
          exit when started = 0 or served = cardinality(tickets);
        end loop;
      end $$`);
  }

  override down(): void {
    this.addSql('drop function start_jobs');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Whose turn it is in each queue: see JobRecords. */
export class FairQueues extends Migration {
  override up(): void {
    this.addSql(`
      alter table jobs add workspace_id bigint, add queue text not null default 'housekeeping', add turn bigint,
        add ticket text`);
    this.addSql(`
      update jobs set
        queue = case
          when name = 'generation.run' then 'generations'
          when name in ('training.process', 'media.process') then 'pictures'
          when name = 'invitation.send' then 'mail'
          else 'housekeeping' end,
        workspace_id = case name
          when 'generation.run' then
            (select workspace_id from generations where id = (payload ->> 'generationId')::bigint)
          when 'training.process' then (select workspace_id from trainings where id = (payload ->> 'trainingId')::bigint)
          when 'media.process' then 
            (select workspace_id from boards where id =
              (select board_id from media where id = (payload ->> 'mediaId')::bigint))
          when 'invitation.send' then
            (select workspace_id from invitations where id = (payload ->> 'invitationId')::bigint) end`);
    this.addSql(`create index jobs_waiting on jobs (queue, bulk, turn, id) where started_at is null`);
    this.addSql(`create index jobs_running on jobs (queue, workspace_id) where started_at is not null`);
    this.addSql(`create index jobs_turns on jobs (queue, workspace_id, bulk, turn)`);
    this.addSql(
      `create table job_queues (queue text, bulk boolean, turn bigint not null default 0, primary key (queue, bulk))`,
    );
    this.addSql(`
      insert into job_queues (queue, bulk)
      select queue, bulk from unnest(array['generations', 'pictures', 'mail', 'housekeeping']) queue,
        unnest(array[false, true]) bulk`);
  }

  override down(): void {
    this.addSql('drop table job_queues');
    this.addSql('drop index jobs_waiting, jobs_running, jobs_turns');
    this.addSql('alter table jobs drop workspace_id, drop queue, drop turn, drop ticket');
  }
}

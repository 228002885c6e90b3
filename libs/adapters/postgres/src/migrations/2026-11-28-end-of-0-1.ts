import { OnlineMigration } from './online-migration.ts';

/** Drops what kept processes of 0.1 working, which never run beside this version. */
export class EndOf01 extends OnlineMigration {
  protected override readonly statements = [
    `do $$
    begin
      if exists (select from trash_rows) then
        raise exception '%', 'the trash has entries of 0.1, which this version can''t read: restore them or delete '
          'them for good with 0.2, or start this version when DELETE_GRACE_DAYS are over';
      end if;
    end $$`,
    ...['boards', 'personas'].flatMap((table) => [
      `drop trigger if exists ${table}_deleted on ${table}`,
      `drop trigger if exists ${table}_deleted_by_0_1 on ${table}`,
      `drop index if exists ${table}_workspace`,
    ]),
    'drop function if exists show_deletion_to_0_1',
    'drop function if exists take_deletion_of_0_1',
    'drop function if exists next_jobs',
    'drop function if exists start_jobs',
    'drop index if exists personas_creator',
    'drop index if exists discarded_objects_file',
  ];

  /** Nothing: 0.2 works without it. */
  override down(): void {}
}

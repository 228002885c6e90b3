import { GroupedMigration, OnlineMigration } from './online-migration.ts';

/** Names of pictures. A file without one has that of its file. */
export class Names extends OnlineMigration {
  protected override readonly statements = ['alter table files add column name text'];

  override down(): void {
    this.addSql('alter table files drop column name');
  }
}

/** Names older outputs by the first words of their prompt and their seed. */
export class NamesOfOutputs extends GroupedMigration {
  protected override readonly table = 'files';
  protected override readonly statements = [
    `update files set name = made.name
    from (
      select o.file_id, concat_ws(' ',
        coalesce(nullif(array_to_string(
          (regexp_split_to_array(btrim(left(g.prompt, 400), E' \\t\\r\\n'), '\\s+'))[1:6], ' '), ''), g.model),
        g.parameters ->> 'seed', case when o.position > 1 then '(' || o.position || ')' end) as name
      from generation_outputs o join generations g on g.id = o.generation_id
      where o.file_id > last and o.file_id <= next
    ) made
    where files.id = made.file_id and files.name is null`,
  ];

  override down(): void {}
}

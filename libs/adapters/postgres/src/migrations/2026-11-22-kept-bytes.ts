import { Migration } from '@mikro-orm/migrations';

/** The bytes of deleted files are kept for a while, with the record to bring the file back. */
export class KeptBytes extends Migration {
  override up(): void {
    this.addSql('alter table discarded_objects add kept_until timestamptz, add file jsonb');
    this.addSql(`
      create index discarded_objects_file on discarded_objects (((file ->> 'id')::bigint)) where file is not null`);
  }

  override down(): void {
    this.addSql('drop index discarded_objects_file');
    this.addSql('alter table discarded_objects drop kept_until, drop file');
  }
}

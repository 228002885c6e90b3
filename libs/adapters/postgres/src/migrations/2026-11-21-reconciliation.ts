import { Migration } from '@mikro-orm/migrations';

/** How far the nightly comparison of object storage and records has come. */
export class Reconciliation extends Migration {
  override up(): void {
    // One row: who changes its night to today has the turn.
    this.addSql(`
      create table reconciliation (
        only_row boolean primary key default true check (only_row),
        night date not null,
        object_key text,
        file_id bigint
      )`);
    this.addSql(`insert into reconciliation (night) values ('-infinity')`);
  }

  override down(): void {
    this.addSql('drop table reconciliation');
  }
}

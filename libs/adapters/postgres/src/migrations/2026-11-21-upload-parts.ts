import { Migration } from '@mikro-orm/migrations';

/** Uploads whose bytes are sent in parts: what the storage calls them, and how many there are. */
export class UploadParts extends Migration {
  override up(): void {
    this.addSql(`
      alter table uploads
        add column parts_id text,
        add column parts_count integer check (parts_count between 1 and 10000),
        add constraint uploads_parts check ((parts_id is null) = (parts_count is null))`);
  }

  override down(): void {
    this.addSql(`alter table uploads drop column parts_id, drop column parts_count`);
  }
}

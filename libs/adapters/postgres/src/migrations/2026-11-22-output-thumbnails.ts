import { Migration } from '@mikro-orm/migrations';

/** Outputs without pixels, outputs with a label, and the thumbnails of outputs. */
export class OutputThumbnails extends Migration {
  override up(): void {
    this.addSql(`
      alter table generation_outputs alter width drop not null, alter height drop not null, add label text,
        add score double precision`);
    this.addSql(`
      create table generation_thumbnails (
        generation_id bigint not null,
        position smallint not null,
        file_id bigint not null references files on delete cascade,
        width integer not null,
        height integer not null,
        primary key (generation_id, position, file_id),
        foreign key (generation_id, position) references generation_outputs on delete cascade
      )`);
    this.addSql(`create index generation_thumbnails_file on generation_thumbnails (file_id)`);
  }

  override down(): void {
    this.addSql(`drop table generation_thumbnails`);
    this.addSql(`delete from generation_outputs where width is null or height is null`);
    this.addSql(`
      alter table generation_outputs alter width set not null, alter height set not null, drop label, drop score`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Media keep facts: the keys of their files instead of absolute URLs, and no response of the API. A URL of a stored
 * file is `<base>/files/<token>/<encoded file name>`; the token leads to the file among those that the media refers to.
 */
export class MediaKeys extends Migration {
  override up(): void {
    this.addSql(`drop trigger media_answer on media`);
    this.addSql(`drop function media_answer`);
    this.addSql(`alter table media drop column answer`);
    this.addSql(`alter table media rename column url to file_key`);
    this.addSql(`alter table media rename column control_image to control_image_key`);
    this.addSql(`
      create function pg_temp.key_of(media bigint, url text) returns text stable language sql as $$
        select f.key from media_files mf join files f on f.id = mf.file_id
         where mf.media_id = media and split_part(f.key, '/', 1) = 'files'
           and split_part(f.key, '/', 2) = substring(url from '/files/([^/]+)/[^/]+$')
         limit 1
      $$`);
    this.addSql(`
      update media set
        file_key = pg_temp.key_of(id, file_key),
        control_image_key = pg_temp.key_of(id, control_image_key),
        source_url = coalesce(pg_temp.key_of(id, source_url), source_url),
        source_control_image = coalesce(pg_temp.key_of(id, source_control_image), source_control_image),
        thumbnails = (
          select coalesce(jsonb_agg(jsonb_build_object('key', pg_temp.key_of(media.id, t.one ->> 'url'),
                   'width', t.one -> 'width', 'height', t.one -> 'height') order by t.place), '[]')
            from jsonb_array_elements(thumbnails) with ordinality t (one, place))
      where exists (select from media_files mf where mf.media_id = media.id)`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Inputs of generations that are files of the service are recorded by key, not by the URL of that time. */
export class GenerationKeys extends Migration {
  override up(): void {
    this.addSql('alter table generations add image_key text, add style_key text');
    for (const input of ['image', 'style']) {
      // A URL ends with /files/<token>/<file name>; a token belongs to one file.
      this.addSql(`
        update generations g set ${input}_key = f.key, ${input}_url = null
          from files f
         where f.workspace_id = g.workspace_id
           and split_part(f.key, '/', 2) = substring(g.${input}_url from '/files/([[:alnum:]_-]+)/[^/]+$')`);
      this.addSql(`
        update generations g set ${input}_key = f.key, ${input}_url = null
          from files f
         where f.id = g.${input}_file_id and g.${input}_key is null`);
    }
  }

  override down(): void {
    for (const input of ['image', 'style']) {
      this.addSql(
        `update generations set ${input}_url = ${input}_key, ${input}_file_id = null where ${input}_key is not null`,
      );
      this.addSql(`alter table generations drop ${input}_key`);
    }
  }
}

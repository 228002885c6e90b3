/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { DatabaseSchema, SchemaComparator, type SqlSchemaGenerator } from '@mikro-orm/postgresql';
import { suiteDatabase } from '../support/suite-database.ts';

const db = await suiteDatabase();

describe('the description of the tables', () => {
  async function differences(): Promise<string[]> {
    const { orm } = db;
    const platform = orm.em.getPlatform();
    const wanted = (orm.schema as SqlSchemaGenerator).getTargetSchema();
    const found = await DatabaseSchema.create(orm.em.getConnection(), platform, orm.config);
    const { newTables, removedTables, changedTables } = new SchemaComparator(platform).compare(found, wanted);
    const columns = Object.values(changedTables).flatMap((table) =>
      (['addedColumns', 'removedColumns', 'renamedColumns', 'changedColumns'] as const).flatMap((kind) =>
        Object.keys(table[kind]).map((column) => `${kind}: ${table.name}.${column}`),
      ),
    );
    return [
      ...Object.keys(newTables).map((name) => `not migrated: ${name}`),
      ...Object.keys(removedTables).map((name) => `not described: ${name}`),
      ...columns,
    ].sort();
  }

  it('is the schema of the migrated database, column by column', async () => {
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['a column more', 'alter table boards add note text', 'removedColumns: boards.note'],
    ['a column less', 'alter table personas drop knows', 'addedColumns: personas.knows'],
    ['another type', 'alter table media alter width type bigint', 'changedColumns: media.width'],
    ['a null allowed', 'alter table jobs alter name drop not null', 'changedColumns: jobs.name'],
  ])('is not that of a database with %s', async (_what, change, reported) => {
    await db.pool.query(change);
    expect(await differences()).toContainEqual(expect.stringContaining(reported));
  });
});

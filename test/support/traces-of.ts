import type { Sql } from './database.ts';

/** The rows of all tables, but for the migrations, that contain a text in any column: as `table: row`. */
export async function tracesOf(db: Sql, text: string): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(
      `select to_jsonb(each)::text as row from ${name} each where strpos(lower(to_jsonb(each)::text), $1) > 0`,
      [text.toLowerCase()],
    );
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}

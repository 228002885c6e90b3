import type { TestService, TestUser } from '../../support/service.ts';
import { eventually } from '../../support/eventually.ts';

/** Generates by the API, and waits until it has ended. */
export async function generate(service: TestService, { token }: Pick<TestUser, 'token'>, fields: object) {
  const { body } = await service.call('POST', '/v2/generate', { token, json: { model: 'local-image', ...fields } });
  return eventually(async () => {
    const { body: generation } = await service.call('GET', `/v2/generations/${body.generation_id}`, { token });
    return generation.finished_at && generation;
  });
}

/** Copies the file and the item of the library of a generation with one output: the library has this many more. */
export async function fillLibrary({ database }: TestService, generation: number, more: number) {
  const kept = await columnsOf(database, 'files', ['key']);
  await database.query(
    `with copies as (
       insert into files (key, ${kept})
       select 'files/' || gen_random_uuid() || '/a.png', ${kept} from files, generate_series(1, $2::int)
       where id = (select file_id from library_items where generation_id = $1) returning id
     )
     insert into library_items select (jsonb_populate_record(item, jsonb_build_object('file_id', copies.id))).*
     from copies, library_items item where item.generation_id = $1`,
    [generation, more],
  );
}

/** Copies a generation, without outputs. */
export async function repeatGeneration({ database }: TestService, generation: number, more: number) {
  const kept = await columnsOf(database, 'generations');
  await database.query(
    `insert into generations (${kept}) select ${kept} from generations, generate_series(1, $2::int) where id = $1`,
    [generation, more],
  );
}

/** The columns of a table that a copy of a row shares with it. */
async function columnsOf(
  database: TestService['database'],
  table: string,
  others: readonly string[] = [],
): Promise<string> {
  const rows = await database.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER' and column_name <> all ($2)`,
    [table, others],
  );
  return rows.map(({ column_name }) => `"${column_name}"`).join(', ');
}

/** Makes a batch of one cell larger: copies its generation, with its output, to each place of rows and columns. */
export async function fillBatch(
  { database }: TestService,
  batch: number,
  { rows, columns }: { readonly rows: number; readonly columns: number },
) {
  const values = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
  await database.query(
    `update batches set total = $2, matrix = matrix || jsonb_build_object('seeds', $3::jsonb, 'variables', $4::jsonb)
     where id = $1`,
    [batch, rows * columns, JSON.stringify(values(columns)), JSON.stringify({ n: values(rows).map(String) })],
  );
  const kept = await columnsOf(database, 'generations', ['cell', 'prompt']);
  await database.query(
    `with sample as (select * from generations where batch_id = $1 and cell = 1), copies as (
       insert into generations (cell, prompt, ${kept})
       select n, 'a lake ' || (n - 1) / $3 + 1, ${kept} from sample, generate_series(2, $2::int) as n returning id
     )
     insert into generation_outputs select (jsonb_populate_record(output, jsonb_build_object('generation_id', copies.id))).*
     from copies, generation_outputs output where output.generation_id = (select id from sample)`,
    [batch, rows * columns, columns],
  );
}

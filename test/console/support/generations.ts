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
  const columnsOf = await database.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_name = 'generations' and is_identity = 'NO' and column_name not in ('cell', 'prompt')`,
  );
  const kept = columnsOf.map(({ column_name }) => `"${column_name}"`).join(', ');
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

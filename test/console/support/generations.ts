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

/** Copies the newest generation of a user, with its outputs: every tenth as failed, every eleventh as canceled. */
export async function fillHistory({ database }: TestService, { id }: Pick<TestUser, 'id'>, count: number) {
  const columns = await database.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_name = 'generations' and is_identity = 'NO'
       and column_name not in ('state', 'error_code', 'error', 'created_at')`,
  );
  const kept = columns.map(({ column_name }) => `"${column_name}"`).join(', ');
  await database.query(
    `with sample as (select * from generations where user_id = $1 order by id desc limit 1), copies as (
       insert into generations (state, error_code, error, created_at, ${kept})
       select case when n % 10 = 0 then 'failed' when n % 11 = 0 then 'canceled' else 'succeeded' end,
              case when n % 10 = 0 then 'url_unreachable' end,
              case when n % 10 = 0 then 'the image could not be fetched' end,
              created_at - n * interval '1 minute', ${kept}
       from sample, generate_series(1, $2::int) as n returning id, state
     )
     insert into generation_outputs select (jsonb_populate_record(output, jsonb_build_object('generation_id', copies.id))).*
     from copies, generation_outputs output
     where copies.state = 'succeeded' and output.generation_id = (select id from sample)`,
    [id, count],
  );
}

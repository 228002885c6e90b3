/** @tier test */
import { beforeEach, expect, it } from '@jest/globals';
import { PostgresPausedProviders } from '#adapters/postgres';
import { ProviderPauses } from '#catalogue';
import { newColleagues, newWorkspace } from '../support/database.ts';
import { Product } from '../support/product.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const HOUR_MS = 3_600_000;
const database = await suiteDatabase();
let product: Product;
let pauses: ProviderPauses;
beforeEach(async () => {
  await database.query('delete from paused_providers');
  product = new Product(database);
  pauses = product.get(ProviderPauses);
});

const paused = async () => [...(await product.get(PostgresPausedProviders).list())].sort();
const told = (id: string) =>
  database.query(
    `select workspace_id as place, facts from events where type = 'provider.failing' and subject_id = $1`,
    [id],
  );

it('lists a provider from its first pause until it is called again', async () => {
  const since = product.clock.now();
  await pauses.begin('fal');
  await pauses.begin('replicate');
  product.clock.advance(10_000);
  await pauses.begin('fal');
  expect(await paused()).toEqual([
    ['fal', since],
    ['replicate', since],
  ]);
  await pauses.end('fal');
  await pauses.end('comfyui');
  expect((await paused()).map(([id]) => id)).toEqual(['replicate']);
});

it('tells the workspaces that operators administer, once an hour, however many processes pause it', async () => {
  await newWorkspace(database.database);
  const [, operator] = await newColleagues(database);
  await database.query('update users set is_operator = true where id = $1', [operator.userId]);
  const own = `select workspace_id as place from memberships where user_id = $1 and role = 'owner'`;
  const [home] = await database.query<{ place: number }>(own, [operator.userId]);
  const begin = () =>
    Promise.all([1, 2, 3].map(() => new Product(database, product).get(ProviderPauses).begin('openai')));
  await begin();
  const since = product.clock.now().toISOString();
  expect(await told('openai')).toEqual([{ ...home, facts: { id: 'openai', since } }]);
  await pauses.end('openai');
  await begin();
  expect(await told('openai')).toHaveLength(1);
  await pauses.end('openai');
  product.clock.advance(HOUR_MS);
  await begin();
  expect(await told('openai')).toHaveLength(2);
});

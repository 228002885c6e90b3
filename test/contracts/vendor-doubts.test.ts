/** @tier test */
import { expect } from '@jest/globals';
import { PostgresCatalogue } from '#adapters/postgres';
import { GoneModels } from '#catalogue';
import { aModel } from '#testing/catalogue';
import * as wiring from '#wiring';
import { Product } from '../support/product.ts';
import { itInRounds } from '../support/rounds.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const database = await suiteDatabase();

itInRounds('refusals at once are counted one by one, and the model is gone once', async (round) => {
  const product = new Product(database);
  const [gone, unitOfWork, store] = [
    product.get(GoneModels),
    product.get(wiring.unitOfWork),
    product.get(PostgresCatalogue),
  ];
  const model = aModel({ id: `fluw-${round}` });
  const refuse = (userId: number) => unitOfWork.run(() => gone.refused(model, userId));
  const marks = async () => (await store.read()).gone.filter((each) => each.model === model.id);
  await Promise.all([1, 2, 1, 2].map(refuse));
  expect(await marks()).toEqual([]);
  const before = await store.version();
  await Promise.all([1, 2, 1].map(refuse));
  expect(await marks()).toMatchObject([{ modelRevision: null, target: model.target }]);
  expect(await store.version()).toBe(before + 1);
  await unitOfWork.run(() => gone.succeeded({ model: model.id, modelRevision: 1 }));
  expect(await marks()).toHaveLength(1);
  await unitOfWork.run(() => gone.succeeded({ model: model.id, modelRevision: null }));
  expect(await marks()).toEqual([]);
  expect(await store.version()).toBe(before + 2);
});

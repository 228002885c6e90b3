import { expect, it } from '@jest/globals';
import { EMPTY_BATCH } from './batch-draft.ts';
import { KeptBatch } from './kept-batch.ts';

function memory() {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  };
}

it('a batch is kept over a reload for the form that it began with, and for its user', () => {
  const items = memory();
  const batch = { ...EMPTY_BATCH, prompts: 'a fox' };
  new KeptBatch(items, 'ada').keep('form', batch);
  const kept = new KeptBatch(items, 'ada');
  expect([kept.of('form'), kept.of(null), kept.of('other form')]).toEqual([batch, batch, undefined]);
  expect(new KeptBatch(items, 'bob').of(null)).toBeUndefined();
  kept.drop();
  expect(new KeptBatch(items, 'ada').of(null)).toBeUndefined();
});

it('what scripts can read has no address with a signature', () => {
  const items = memory();
  const signed = 'https://a.example/owl.png?signature=1';
  const batch = { ...EMPTY_BATCH, styles: [signed, 7], parameters: { image: [signed], width: [64] } };
  const kept = new KeptBatch(items, 'ada');
  kept.keep('form', batch);
  expect(kept.of('form')).toEqual(batch);
  expect(new KeptBatch(items, 'ada').of('form')).toEqual({ ...batch, styles: [7], parameters: { width: [64] } });
});

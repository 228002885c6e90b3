import { expect, it } from '@jest/globals';
import { newMemory } from '../testing/memory.ts';
import { EMPTY_BATCH } from './batch-draft.ts';
import { KeptBatch } from './kept-batch.ts';

it('a batch is kept over a reload for the form that it began with, and for its user', () => {
  const { memory } = newMemory();
  const batch = { ...EMPTY_BATCH, prompts: 'a fox' };
  new KeptBatch(memory, 'ada').keep('form', batch);
  const kept = new KeptBatch(memory, 'ada');
  expect([kept.of('form'), kept.of(null), kept.of('other form')]).toEqual([batch, batch, undefined]);
  expect(new KeptBatch(memory, 'bob').of(null)).toBeUndefined();
  kept.drop();
  expect(new KeptBatch(memory, 'ada').of(null)).toBeUndefined();
});

it('what scripts can read has no address with a signature', () => {
  const { memory } = newMemory();
  const signed = 'https://a.example/owl.png?signature=1';
  const batch = { ...EMPTY_BATCH, styles: [signed, 7], parameters: { image: [signed], width: [64] } };
  const kept = new KeptBatch(memory, 'ada');
  kept.keep('form', batch);
  expect(kept.of('form')).toEqual(batch);
  expect(new KeptBatch(memory, 'ada').of('form')).toEqual({ ...batch, styles: [7], parameters: { width: [64] } });
});

it('pictures of a private workspace are kept without their signature', () => {
  const { memory } = newMemory();
  const file = 'https://a.example/files/4hT0k3n/owl.png';
  const signed = `${file}?expires=1800000000&signature=${'a'.repeat(43)}`;
  new KeptBatch(memory, 'ada').keep('form', { ...EMPTY_BATCH, styles: [signed, 7], parameters: { image: [signed] } });
  const kept = new KeptBatch(memory, 'ada').of('form');
  expect(kept).toMatchObject({ styles: [file, 7], parameters: { image: [file] } });
});

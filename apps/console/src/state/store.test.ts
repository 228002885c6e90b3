import { expect, it } from '@jest/globals';
import { createStore } from './store.ts';
import { newMemory } from '../testing/memory.ts';

const { memory } = newMemory();

it('notifies subscribers of changes until they unsubscribe', () => {
  const store = createStore(1);
  const seen: number[] = [];
  const stop = store.subscribe(() => seen.push(store.get()));
  store.set(2);
  stop();
  store.set(3);
  expect(seen).toEqual([2]);
});

it('keeps only the allowed part, and only for its owner', () => {
  const part = ({ name }: { readonly name: string; readonly secret?: string }) => ({ name });
  const of = (owner: string) => createStore({ name: '' }, { memory, name: 'place', owner, part });
  of('ada').set({ name: 'a fox', secret: 'word' } as never);
  expect(of('ada').get()).toEqual({ name: 'a fox' });
  expect(of('bob').get()).toEqual({ name: '' });
});

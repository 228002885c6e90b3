import { expect, it } from '@jest/globals';
import { createStore, type Memory } from './store.ts';

const items = new Map<string, string>();
const memory: Memory = {
  getItem: (name) => items.get(name) ?? null,
  setItem: (name, text) => void items.set(name, text),
};

it('tells those who listen, until they do no more, that its value changed', () => {
  const store = createStore(1);
  const seen: number[] = [];
  const stop = store.subscribe(() => seen.push(store.get()));
  store.set(2);
  stop();
  store.set(3);
  expect(seen).toEqual([2]);
});

it('keeps for its owner alone what may be kept', () => {
  const part = ({ name }: { readonly name: string; readonly secret?: string }) => ({ name });
  const of = (owner: string) => createStore({ name: '' }, { memory, name: 'place', owner, part });
  of('ada').set({ name: 'a fox', secret: 'word' } as never);
  expect(of('ada').get()).toEqual({ name: 'a fox' });
  expect(of('bob').get()).toEqual({ name: '' });
});

import { useSyncExternalStore } from 'react';

/** A value outside of components, with subscribers. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  subscribe(listener: () => void): () => void;
}

export type Memory = Pick<Storage, 'getItem' | 'setItem'>;

/** How a value survives a reload of the page. */
export interface Keeping<T> {
  readonly memory: Memory;
  readonly name: string;
  /** A kept value of another owner is ignored, and overwritten by the next change. */
  readonly owner: string;
  /** The part of the value to keep, which scripts can read. Default: all. */
  readonly part?: (value: T) => T;
}

/** @param initial the value, unless the memory has one of this owner */
export function createStore<T>(initial: T, keeping?: Keeping<T>): Store<T> {
  const listeners = new Set<() => void>();
  let value = keeping ? keptOf(keeping, initial) : initial;
  return {
    get: () => value,
    set: (next) => {
      value = next;
      if (keeping) keep(keeping, next);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

function keptOf<T>({ memory, name, owner }: Keeping<T>, initial: T): T {
  const kept = JSON.parse(memory.getItem(name) ?? '{}') as { readonly owner?: string; readonly value?: T };
  return kept.owner === owner ? (kept.value ?? initial) : initial;
}

function keep<T>({ memory, name, owner, part = (all) => all }: Keeping<T>, value: T): void {
  memory.setItem(name, JSON.stringify({ owner, value: part(value) }));
}

import type { Memory } from '../state/index.ts';

/** The storage of a browser, which refuses longer texts than it may have. */
export function newMemory(most = Infinity) {
  const items = new Map<string, string>();
  const memory: Memory = {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, text) => {
      if (text.length > most) throw new Error('QuotaExceededError');
      items.set(name, text);
    },
  };
  return { memory, items };
}

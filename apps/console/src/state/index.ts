export { Changes, type Show, useShown } from './changes.ts';
export { useLatest } from './use-latest.ts';
export { createStore, type Memory, type Store, useStore } from './store.ts';
export { useSame } from './use-same.ts';

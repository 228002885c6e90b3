export { Changes, type Show, useShown } from './changes.ts';
export { createStore, type Memory, type Store, useStore } from './store.ts';

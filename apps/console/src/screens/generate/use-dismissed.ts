import { useMe } from '../../shell/index.ts';
import { createStore, type Store, useStore } from '../../state/index.ts';

/** More than are shown. */
const MOST = 200;

let kept: { readonly owner: string; readonly ids: Store<readonly number[]> } | undefined;

function idsOf(owner: string): Store<readonly number[]> {
  const keeping = { memory: localStorage, name: 'x12-dismissed', owner };
  if (kept?.owner !== owner) kept = { owner, ids: createStore<readonly number[]>([], keeping) };
  return kept.ids;
}

/** The ids of failed generations whose tiles were taken away in this browser. */
export function useDismissed() {
  const { user } = useMe();
  const ids = idsOf(String(user.id));
  return {
    dismissed: useStore(ids),
    dismiss: (id: number) => ids.set([id, ...ids.get()].slice(0, MOST)),
    restore: (id: number) => ids.set(ids.get().filter((each) => each !== id)),
  };
}

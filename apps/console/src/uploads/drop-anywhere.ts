import { useEffect } from 'react';
import { createStore, useStore } from '../state/index.ts';

/** What becomes of files that are dropped beside all targets of a screen. */
export interface AnywhereTarget {
  /** `Add to board Summer` */
  readonly label: string;
  readonly onFiles: (files: File[]) => void;
}

const targets = createStore<readonly AnywhereTarget[]>([]);

/** While the screen is there, files dropped anywhere in the page are its own. Memoize the target. */
export function useDropAnywhere(target: AnywhereTarget): void {
  useEffect(() => {
    targets.set([...targets.get(), target]);
    return () => targets.set(targets.get().filter((each) => each !== target));
  }, [target]);
}

export function useAnywhereTarget(): AnywhereTarget | undefined {
  return useStore(targets).at(-1);
}

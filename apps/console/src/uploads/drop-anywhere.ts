import { useEffect } from 'react';
import { createStore, useStore } from '../state/index.ts';

/** A screen's handler for files that are dropped outside of its targets. */
export interface AnywhereTarget {
  /** `Add to board Summer` */
  readonly label: string;
  readonly onFiles: (files: File[]) => void;
}

const targets = createStore<readonly AnywhereTarget[]>([]);

/** Handles files that are dropped anywhere in the page while the screen is mounted. Memoize the target. */
export function useDropAnywhere(target: AnywhereTarget): void {
  useEffect(() => {
    targets.set([...targets.get(), target]);
    return () => targets.set(targets.get().filter((each) => each !== target));
  }, [target]);
}

export function useAnywhereTarget(): AnywhereTarget | undefined {
  return useStore(targets).at(-1);
}

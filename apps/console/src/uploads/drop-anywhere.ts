import { useEffect, useSyncExternalStore } from 'react';

/** What becomes of files that are dropped beside all targets of a screen. */
export interface AnywhereTarget {
  /** `Add to board Summer` */
  readonly label: string;
  readonly onFiles: (files: File[]) => void;
}

let targets: readonly AnywhereTarget[] = [];
const listeners = new Set<() => void>();

function setTargets(next: readonly AnywhereTarget[]): void {
  targets = next;
  for (const listener of listeners) listener();
}

/** While the screen is there, files dropped anywhere in the page are its own. Memoize the target. */
export function useDropAnywhere(target: AnywhereTarget): void {
  useEffect(() => {
    setTargets([...targets, target]);
    return () => setTargets(targets.filter((each) => each !== target));
  }, [target]);
}

export function useAnywhereTarget(): AnywhereTarget | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => targets.at(-1),
  );
}

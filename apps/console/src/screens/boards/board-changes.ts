import { useCallback, useSyncExternalStore } from 'react';
import type { Change } from './changes.ts';

const NONE: readonly Change[] = [];
const changesOf = new Map<number, readonly Change[]>();
const listeners = new Set<() => void>();

/** Shows a change of a board from now on. @returns ends that, as the service says it by now or has refused it */
export function showChange(boardId: number, change: Change): () => void {
  set(boardId, (before) => [...before, change]);
  return () => set(boardId, (before) => before.filter((each) => each !== change));
}

/** The changes of a board that the service has not made yet, oldest first. */
export function useChanges(boardId: number): readonly Change[] {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => changesOf.get(boardId) ?? NONE, [boardId]),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(boardId: number, change: (before: readonly Change[]) => readonly Change[]): void {
  changesOf.set(boardId, change(changesOf.get(boardId) ?? NONE));
  for (const listener of listeners) listener();
}

import { useSyncExternalStore } from 'react';

/** Whether a dialog is open, for those who open it from anywhere. */
export interface DialogState {
  readonly open: () => void;
  readonly close: () => void;
  readonly useIsOpen: () => boolean;
}

export function createDialog(): DialogState {
  let isOpen = false;
  const listeners = new Set<() => void>();
  const set = (value: boolean) => {
    isOpen = value;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    open: () => set(true),
    close: () => set(false),
    useIsOpen: () => useSyncExternalStore(subscribe, () => isOpen),
  };
}

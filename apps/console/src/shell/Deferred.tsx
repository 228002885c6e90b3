import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useStore } from '../state/index.ts';
import { isQuiet } from '../ui/index.ts';

/** Time without a fetch after which the screen counts as painted. */
const QUIET_MS = 200;

/** Loads and renders its children once the first screen has its data. */
export function Deferred({ children }: { readonly children: ReactNode }) {
  const isThere = useRouterState({ select: ({ status }) => status === 'idle' });
  const isIdle = useIsFetching() === 0 && isThere;
  useEffect(() => {
    if (!isIdle) return;
    const timer = setTimeout(() => isQuiet.set(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isIdle]);
  return useStore(isQuiet) && <Suspense>{children}</Suspense>;
}

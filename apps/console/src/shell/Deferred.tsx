import { useIsFetching } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';

/** Time without a fetch after which the screen counts as painted. */
const QUIET_MS = 200;

/** Loads and renders its children once the first screen has its data. */
export function Deferred({ children }: { readonly children: ReactNode }) {
  const isQuiet = useIsFetching() === 0;
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isQuiet) return;
    const timer = setTimeout(() => setDue(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isQuiet]);
  return isDue && <Suspense>{children}</Suspense>;
}

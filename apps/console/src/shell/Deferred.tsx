import { useIsFetching } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';

/** How long nothing has to be fetched: the screen has been painted by then. */
const QUIET_MS = 200;

/** Renders its children, and so loads them, once the first screen has its data. */
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

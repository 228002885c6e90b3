import { useState } from 'react';
import { type OperatorAccess, openAccess } from './operator-access.ts';
import { OperatorDesk } from './OperatorDesk.tsx';
import { OperatorLock } from './OperatorLock.tsx';

/**
 * The screen of the service's operator. The token exists only in the state of this component: leaving the screen forgets it,
 * and all data that was read with it.
 */
export function OperatorPage() {
  const [access, setAccess] = useState<OperatorAccess | null>(null);
  const [isRefused, setRefused] = useState(false);
  const unlock = (token: string) => {
    setRefused(false);
    setAccess(
      openAccess(token, () => {
        setAccess(null);
        setRefused(true);
      }),
    );
  };
  if (access === null) return <OperatorLock isRefused={isRefused} onToken={unlock} />;
  return <OperatorDesk access={access} onLock={() => setAccess(null)} />;
}

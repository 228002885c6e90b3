import { useState } from 'react';
import { type OperatorAccess, openAccess } from './operator-access.ts';
import { OperatorDesk } from './OperatorDesk.tsx';
import { OperatorLock } from './OperatorLock.tsx';

/**
 * What who runs the service sees. The token is in the state of this component alone: it is gone, with everything that
 * was read by it, when one leaves the screen.
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

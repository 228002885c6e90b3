import { useState } from 'react';
import { useMe } from '../../shell/index.ts';
import { type OperatorAccess, openAccess } from './operator-access.ts';
import { OperatorDesk } from './OperatorDesk.tsx';
import { OperatorLock } from './OperatorLock.tsx';

/**
 * The screen of the service's operators, by their own session or by ADMIN_TOKEN. The token exists only in the state of this
 * component: leaving the screen forgets it, and all data that was read with it.
 */
export function OperatorPage() {
  const { user } = useMe();
  const open = (token: string | null) =>
    openAccess(token, () => {
      setAccess(null);
      setRefused(true);
    });
  const [access, setAccess] = useState<OperatorAccess | null>(() => (user.is_operator ? open(null) : null));
  const [isRefused, setRefused] = useState(false);
  const unlock = (token: string) => {
    setRefused(false);
    setAccess(open(token));
  };
  if (access === null) return <OperatorLock isRefused={isRefused} onToken={unlock} />;
  return <OperatorDesk access={access} onLock={user.is_operator ? null : () => setAccess(null)} />;
}

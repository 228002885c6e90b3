import { useState } from 'react';
import { useMe } from '../../shell/index.ts';
import { type OperatorAccess, openAccess } from './operator-access.ts';
import { OperatorDesk } from './OperatorDesk.tsx';
import { OperatorLock } from './OperatorLock.tsx';

/** The screen of the service's operators. */
export function OperatorPage() {
  return useMe().user.is_operator ? <BySession /> : <ByToken />;
}

/** For an account that is an operator. */
function BySession() {
  const [access] = useState(() => openAccess(null, () => undefined));
  return <OperatorDesk access={access} onLock={null} />;
}

/**
 * For others, by ADMIN_TOKEN. The token exists only in the state of this component: leaving the screen forgets it, and all
 * data that was read with it.
 */
function ByToken() {
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

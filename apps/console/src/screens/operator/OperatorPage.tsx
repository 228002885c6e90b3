import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refresh } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { type OperatorAccess, openAccess } from './operator-access.ts';
import { OperatorDesk } from './OperatorDesk.tsx';
import { OperatorLock } from './OperatorLock.tsx';

/** The screen of the service's operators. */
export function OperatorPage() {
  const { id, is_operator: isOperator } = useMe().user;
  return isOperator ? <BySession userId={id} /> : <ByToken />;
}

/** For an account that is an operator. */
function BySession({ userId }: { readonly userId: number }) {
  const queries = useQueryClient();
  const [access] = useState(() =>
    openAccess(
      { userId },
      { onEnd: () => void refresh(queries, 'team'), onModels: () => void refresh(queries, 'models') },
    ),
  );
  return <OperatorDesk access={access} onLock={null} />;
}

/**
 * For others, by ADMIN_TOKEN. The token exists only in the state of this component: leaving the screen forgets it, and all
 * data that was read with it.
 */
function ByToken() {
  const queries = useQueryClient();
  const [access, setAccess] = useState<OperatorAccess | null>(null);
  const [isRefused, setRefused] = useState(false);
  const unlock = (token: string) => {
    setRefused(false);
    setAccess(
      openAccess(
        { token },
        {
          onEnd: () => {
            setAccess(null);
            setRefused(true);
          },
          onModels: () => void refresh(queries, 'models'),
        },
      ),
    );
  };
  if (access === null) return <OperatorLock isRefused={isRefused} onToken={unlock} />;
  return <OperatorDesk access={access} onLock={() => setAccess(null)} />;
}

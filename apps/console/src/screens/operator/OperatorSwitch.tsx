import { Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog, notifyDone } from '../../ui/index.ts';
import type { DirectoryUserDto } from './generated/index.ts';
import { useAccess, useOperatorChange } from './operator-queries.ts';
import { words } from './words.ts';

/** Switch of a user's right to operate. A change asks first; of the own right, for the e-mail too. */
export function OperatorSwitch({ user }: { readonly user: DirectoryUserDto }) {
  const { userId } = useAccess();
  const change = useOperatorChange();
  const [isAsking, setAsking] = useState(false);
  const { email, is_operator: isOperator } = user;
  const { title, what, action, done } = isOperator ? words.dismiss : words.appoint;
  const isOwn = user.id === userId && isOperator;
  const confirm = async () => {
    await change(user, !isOperator);
    notifyDone(done(email));
  };
  return (
    <>
      <Switch aria-label={words.operates(email)} checked={isOperator} onChange={() => setAsking(true)} />
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={isOwn ? words.ownTitle : title}
        action={action}
        onConfirm={confirm}
        typed={isOwn ? email : undefined}
        color={isOperator ? undefined : 'sea'}
      >
        <Text component="bdi" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
        <Text size="sm">{isOwn ? words.ownWhat : what}</Text>
      </ConfirmDialog>
    </>
  );
}

import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MailWarning } from 'lucide-react';
import { createStore, useStore } from '../state/index.ts';
import { useMe } from './session.ts';
import classes from './Shell.module.css';
import { words } from './words.ts';

/** True once the service refused a call because the user's address is not confirmed. */
export const isUnverified = createStore(false);

/** Reports whether there was such a refusal, and the address is still not confirmed. */
export function useUnverified(): boolean {
  const wasRefused = useStore(isUnverified);
  const { user } = useMe();
  return wasRefused && !user.email_verified;
}

export function UnverifiedNotice() {
  const isShown = useUnverified();
  return (
    <div role="status">
      {isShown && (
        <p className={classes.notice}>
          <MailWarning size={16} aria-hidden />
          <span>
            {words.unverified}{' '}
            <Anchor component={Link} to="/account" inherit underline="always" c="inherit">
              {words.verify}
            </Anchor>
          </span>
        </p>
      )}
    </div>
  );
}

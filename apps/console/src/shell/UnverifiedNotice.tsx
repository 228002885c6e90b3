import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MailWarning } from 'lucide-react';
import { createStore, useStore } from '../state/index.ts';
import { words } from '../words.ts';
import { useMe } from './session.ts';
import classes from './Shell.module.css';

/** Whether the service refused a call because the user's address is not confirmed. */
export const isUnverified = createStore(false);

/** Shown after such a refusal, until the address is confirmed. */
export function UnverifiedNotice() {
  const wasRefused = useStore(isUnverified);
  const { user } = useMe();
  const isShown = wasRefused && !user.email_verified;
  return (
    <div role="status">
      {isShown && (
        <p className={classes.notice}>
          <MailWarning size={16} aria-hidden />
          <span>
            {words.shell.unverified}{' '}
            <Anchor component={Link} to="/account" inherit underline="always" c="inherit">
              {words.shell.verify}
            </Anchor>
          </span>
        </p>
      )}
    </div>
  );
}

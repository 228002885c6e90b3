import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Alert } from '@mantine/core';
import { useState } from 'react';
import { ACCOUNT_DELETED, linkSecret, useSsoRefusal } from '../../shell/index.ts';
import { destination } from './destination.ts';
import { SignInByLink } from './SignInByLink.tsx';
import { SignInOrUp } from './SignInOrUp.tsx';
import { words } from './words.ts';

const text = words.sso;

/** Signs in by the link that opened the page, by single sign-on, by password or by token, or signs up. */
export function SignInPage() {
  const [secret] = useState(() => linkSecret('sign-in'));
  const refusal = useSsoRefusal();
  const [isDeleted] = useState(() => new URLSearchParams(location.hash.slice(1)).get('done') === ACCOUNT_DELETED);
  const { next } = useSearch({ strict: false }) as { next?: unknown };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const enter = async () => {
    queries.clear();
    await navigate({ to: destination(next) });
  };
  if (secret !== null) return <SignInByLink secret={secret} onDone={enter} />;
  return (
    <SignInOrUp returnTo={`/console${destination(next)}`} onDone={enter}>
      {isDeleted && (
        <Alert role="status" title={words.deleted}>
          {words.deletedHint}
        </Alert>
      )}
      {refusal !== null && (
        <Alert role="alert" color="red" title={text.refused}>
          {refusal}
        </Alert>
      )}
    </SignInOrUp>
  );
}

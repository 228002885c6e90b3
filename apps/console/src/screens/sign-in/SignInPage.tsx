import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { linkSecret } from '../../shell/index.ts';
import { destination } from './destination.ts';
import { SignInByLink } from './SignInByLink.tsx';
import { SignInOrUp } from './SignInOrUp.tsx';

/** Signs in by the link that opened the page, by password or by token, or signs up. */
export function SignInPage() {
  const [secret] = useState(() => linkSecret('sign-in'));
  const { next } = useSearch({ strict: false }) as { next?: unknown };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const enter = async () => {
    queries.clear();
    await navigate({ to: destination(next) });
  };
  return secret === null ? <SignInOrUp onDone={enter} /> : <SignInByLink secret={secret} onDone={enter} />;
}

import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { linkSecret } from '../../shell/index.ts';
import { destination } from './destination.ts';
import { SignInByLink } from './SignInByLink.tsx';
import { SignInOrUp } from './SignInOrUp.tsx';

/** Signs in by the link that opened the page; else by password or token, or signs up. */
export function SignInPage() {
  const [secret] = useState(() => linkSecret('sign-in'));
  const { next } = useSearch({ strict: false }) as { next?: unknown };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const goOn = async () => {
    queries.clear();
    await navigate({ to: destination(next) });
  };
  return secret === null ? <SignInOrUp onDone={goOn} /> : <SignInByLink secret={secret} onDone={goOn} />;
}

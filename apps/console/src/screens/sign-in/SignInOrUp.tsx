import { Anchor, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { authMethodsGetOptions } from '../../api/index.ts';
import { words } from '../../words.ts';
import { SignInForm, SignUpForm, TokenForm } from './AccountForms.tsx';
import { Entrance } from './Entrance.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import classes from './Entrance.module.css';

type Way = 'password' | 'token' | 'new';

const FORMS = { password: SignInForm, token: TokenForm, new: SignUpForm } as const;

interface SignInOrUpProps {
  readonly title?: string;
  readonly hint?: string;
  readonly first?: Way;
  /** Path of the console to open after single sign-on, which is offered only with it. */
  readonly returnTo?: string;
  readonly onDone: () => unknown;
  /** Shown above the form. */
  readonly children?: ReactNode;
}

/** Sign in by single sign-on, password or token, or sign up: the ways that the service offers. */
export function SignInOrUp({ title, hint, first = 'password', returnTo, onDone, children }: SignInOrUpProps) {
  const { data: methods } = useQuery({ ...authMethodsGetOptions(), staleTime: Infinity });
  const [chosen, setWay] = useState<Way>(first);
  const isOffered = { password: methods?.password !== false, token: true, new: methods?.signup !== false };
  const way = isOffered[chosen] ? chosen : 'token';
  const [challenge, setChallenge] = useState<string | null>(null);
  if (challenge !== null) {
    return <SecondFactor challenge={challenge} onDone={onDone} onBack={() => setChallenge(null)} />;
  }
  const Form = FORMS[way];
  return (
    <Entrance title={title ?? words.signIn.titles[way]} hint={hint ?? words.signIn.hints[way]}>
      {children && <div className={classes.notice}>{children}</div>}
      {methods?.oidc && returnTo !== undefined && (
        <Button
          component="a"
          href={`/v2/auth/oidc/start?${new URLSearchParams({ return_to: returnTo })}`}
          fullWidth
          mb="lg"
        >
          {words.signIn.sso.start(methods.oidc.name)}
        </Button>
      )}
      <Form key={way} onDone={onDone} onChallenge={setChallenge} />
      <Group gap="lg" className={classes.other}>
        {(Object.keys(FORMS) as Way[])
          .filter((other) => other !== way && isOffered[other])
          .map((other) => (
            <Anchor key={other} component="button" type="button" size="sm" fw={600} onClick={() => setWay(other)}>
              {words.signIn.ways[other]}
            </Anchor>
          ))}
      </Group>
    </Entrance>
  );
}

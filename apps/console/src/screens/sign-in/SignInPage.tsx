import { Anchor, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { words } from '../../words.ts';
import { SignInForm, SignUpForm, TokenForm } from './AccountForms.tsx';
import { destination } from './destination.ts';
import { Entrance } from './Entrance.tsx';
import classes from './Entrance.module.css';

type Way = 'password' | 'token' | 'new';

const FORMS = { password: SignInForm, token: TokenForm, new: SignUpForm } as const;

/** Sign in by password or token, or sign up. */
export function SignInPage() {
  const { next } = useSearch({ strict: false }) as { next?: unknown };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const goOn = async () => {
    queries.clear();
    await navigate({ to: destination(next) });
  };
  return <SignInOrUp onDone={goOn} />;
}

interface SignInOrUpProps {
  readonly title?: string;
  readonly hint?: string;
  readonly first?: Way;
  readonly onDone: () => unknown;
}

export function SignInOrUp({ title, hint, first = 'password', onDone }: SignInOrUpProps) {
  const [way, setWay] = useState<Way>(first);
  const Form = FORMS[way];
  return (
    <Entrance title={title ?? words.signIn.titles[way]} hint={hint ?? words.signIn.hints[way]}>
      <Form key={way} onDone={onDone} />
      <Group gap="lg" className={classes.other}>
        {(Object.keys(FORMS) as Way[])
          .filter((other) => other !== way)
          .map((other) => (
            <Anchor key={other} component="button" type="button" size="sm" fw={600} onClick={() => setWay(other)}>
              {words.signIn.ways[other]}
            </Anchor>
          ))}
      </Group>
    </Entrance>
  );
}

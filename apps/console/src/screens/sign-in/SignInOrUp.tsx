import { Anchor, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
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
  readonly onDone: () => unknown;
  /** Shown above the form. */
  readonly children?: ReactNode;
}

/** Sign in by password or token, or sign up. */
export function SignInOrUp({ title, hint, first = 'password', onDone, children }: SignInOrUpProps) {
  const [way, setWay] = useState<Way>(first);
  const [challenge, setChallenge] = useState<string | null>(null);
  if (challenge !== null) {
    return <SecondFactor challenge={challenge} onDone={onDone} onBack={() => setChallenge(null)} />;
  }
  const Form = FORMS[way];
  return (
    <Entrance title={title ?? words.signIn.titles[way]} hint={hint ?? words.signIn.hints[way]}>
      {children && <div className={classes.notice}>{children}</div>}
      <Form key={way} onDone={onDone} onChallenge={setChallenge} />
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

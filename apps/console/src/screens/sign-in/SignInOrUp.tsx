import { Box, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { authMethodsGetOptions, x12 } from '../../api/index.ts';
import { useIssuer } from '../../shell/index.ts';
import { ErrorNotice, FieldForm, NewPasswordInput, StrongButton, StrongLink } from '../../ui/index.ts';
import { signIn, signInByToken, signUp } from './account.ts';
import { Entrance, Others } from './Entrance.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { words } from './words.ts';

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
  // Where only single sign-on is offered beside the token, the page is not about the token.
  const named = methods?.oidc && returnTo !== undefined ? chosen : way;
  return (
    <Entrance title={title ?? words.titles[named]} hint={hint ?? words.hints[named]}>
      {children && <Box mb={16}>{children}</Box>}
      {methods?.oidc && returnTo !== undefined && <SingleSignOn name={methods.oidc.name} returnTo={returnTo} />}
      <Form key={way} onDone={onDone} onChallenge={setChallenge} />
      <Others>
        {(Object.keys(FORMS) as Way[])
          .filter((other) => other !== way && isOffered[other])
          .map((other) => (
            <StrongButton key={other} onClick={() => setWay(other)}>
              {words.ways[other]}
            </StrongButton>
          ))}
      </Others>
    </Entrance>
  );
}

function SingleSignOn({ name, returnTo }: { readonly name: string; readonly returnTo: string }) {
  const issuer = useIssuer(() => x12.auth.oidc.create({ return_to: returnTo }));
  return (
    <Stack gap="md" mb="lg">
      {issuer.error && <ErrorNotice error={issuer.error} />}
      <Button fullWidth size="md" loading={issuer.isPending} onClick={() => issuer.mutate()}>
        {words.sso.start(name)}
      </Button>
    </Stack>
  );
}

interface FormProps {
  /** Called when the session is open. */
  readonly onDone: () => unknown;
  /** Called when a code is needed too. */
  readonly onChallenge: (challenge: string) => unknown;
}

const { name, email, password, token } = words.fields;

function SignInForm({ onDone, onChallenge }: FormProps) {
  return (
    <FieldForm
      labels={{ email, password }}
      send={signIn}
      onDone={(challenge) => (challenge === null ? onDone() : onChallenge(challenge))}
      submit={words.submit}
    >
      {(field) => (
        <>
          <TextInput type="email" autoComplete="username" {...field('email')} />
          <PasswordInput autoComplete="current-password" {...field('password')} />
          <StrongLink to="/forgot-password">{words.forgot.title}</StrongLink>
        </>
      )}
    </FieldForm>
  );
}

function SignUpForm({ onDone }: FormProps) {
  return (
    <FieldForm labels={{ name, email, password }} send={signUp} onDone={onDone} submit={words.signUp}>
      {(field) => (
        <>
          <TextInput autoComplete="name" {...field('name')} required={false} />
          <TextInput type="email" autoComplete="username" {...field('email')} />
          <NewPasswordInput {...field('password')} />
        </>
      )}
    </FieldForm>
  );
}

function TokenForm({ onDone }: FormProps) {
  return (
    <FieldForm labels={{ token }} send={signInByToken} onDone={onDone} submit={words.submit}>
      {(field) => <PasswordInput autoComplete="off" description={words.tokenHint} {...field('token')} />}
    </FieldForm>
  );
}

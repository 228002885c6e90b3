import { Anchor, PasswordInput, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FieldForm, NewPasswordInput } from '../../ui/index.ts';
import { signIn, signInByToken, signUp } from './account.ts';
import { words } from './words.ts';

interface FormProps {
  /** Called when the session is open. */
  readonly onDone: () => unknown;
  /** Called when a code is needed too. */
  readonly onChallenge: (challenge: string) => unknown;
}

const { name, email, password, token } = words.fields;

export function SignInForm({ onDone, onChallenge }: FormProps) {
  const initial = { email: '', password: '' };
  return (
    <FieldForm
      initial={initial}
      labels={{ email, password }}
      send={signIn}
      onDone={(challenge) => (challenge === null ? onDone() : onChallenge(challenge))}
      submit={words.submit}
    >
      {(field) => (
        <>
          <TextInput type="email" autoComplete="username" {...field('email')} />
          <PasswordInput autoComplete="current-password" {...field('password')} />
          <Anchor component={Link} to="/forgot-password" size="sm" fw={600}>
            {words.forgot.link}
          </Anchor>
        </>
      )}
    </FieldForm>
  );
}

export function SignUpForm({ onDone }: FormProps) {
  const initial = { name: '', email: '', password: '' };
  return (
    <FieldForm initial={initial} labels={{ name, email, password }} send={signUp} onDone={onDone} submit={words.signUp}>
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

export function TokenForm({ onDone }: FormProps) {
  return (
    <FieldForm initial={{ token: '' }} labels={{ token }} send={signInByToken} onDone={onDone} submit={words.submit}>
      {(field) => <PasswordInput autoComplete="off" description={words.tokenHint} {...field('token')} />}
    </FieldForm>
  );
}

import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { fieldProblem } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { signIn, signInByToken, signUp } from './account.ts';

interface FormProps {
  /** Called when the session is open. */
  readonly onDone: () => unknown;
}

export function SignInForm({ onDone }: FormProps) {
  return (
    <AccountForm initial={{ email: '', password: '' }} send={signIn} onDone={onDone} submit={words.signIn.submit}>
      {(field) => (
        <>
          <TextInput type="email" autoComplete="username" label={words.signIn.fields.email} {...field('email')} />
          <PasswordInput autoComplete="current-password" label={words.signIn.fields.password} {...field('password')} />
        </>
      )}
    </AccountForm>
  );
}

export function SignUpForm({ onDone }: FormProps) {
  const initial = { name: '', email: '', password: '' };
  return (
    <AccountForm initial={initial} send={signUp} onDone={onDone} submit={words.signIn.signUp}>
      {(field) => (
        <>
          <TextInput autoComplete="name" label={words.signIn.nameOptional} {...field('name')} required={false} />
          <TextInput type="email" autoComplete="username" label={words.signIn.fields.email} {...field('email')} />
          <PasswordInput
            autoComplete="new-password"
            label={words.signIn.fields.password}
            description={words.signIn.passwordHint}
            {...field('password')}
          />
        </>
      )}
    </AccountForm>
  );
}

export function TokenForm({ onDone }: FormProps) {
  return (
    <AccountForm initial={{ token: '' }} send={signInByToken} onDone={onDone} submit={words.signIn.submit}>
      {(field) => (
        <PasswordInput
          autoComplete="off"
          label={words.signIn.fields.token}
          description={words.signIn.tokenHint}
          {...field('token')}
        />
      )}
    </AccountForm>
  );
}

interface AccountFormProps<T> extends FormProps {
  readonly initial: T;
  readonly send: (values: T) => Promise<void>;
  /** The label of the button. */
  readonly submit: string;
  readonly children: (field: (name: keyof T & string) => object) => ReactNode;
}

/** A form with a button, the service's messages at its fields, and other errors above. */
function AccountForm<T extends Record<string, string>>(props: AccountFormProps<T>) {
  const { initial, send, submit, onDone, children } = props;
  const form = useForm<T>({ initialValues: initial });
  const sending = useMutation({
    mutationFn: send,
    onSuccess: onDone,
    onError: (error) => form.setErrors(fieldErrors(error, initial)),
  });
  const field = (name: keyof T & string) => ({
    required: true,
    withAsterisk: false,
    size: 'md',
    ...form.getInputProps(name),
  });
  const isGeneral = sending.error && Object.keys(fieldErrors(sending.error, initial)).length === 0;
  return (
    <form onSubmit={form.onSubmit((values) => sending.mutate(values))}>
      <Stack gap="md">
        {isGeneral && <ErrorNotice error={sending.error} />}
        {children(field)}
        <Button type="submit" size="md" mt={4} loading={sending.isPending || sending.isSuccess}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}

/** The service's messages about the fields of the form. */
function fieldErrors(error: unknown, form: object): Record<string, string> {
  const problems = Object.keys(form).map((name) => [
    name,
    fieldProblem(error, name, words.signIn.fields[name] ?? name),
  ]);
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined));
}

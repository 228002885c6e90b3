import { Anchor, Group, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { x12 } from '../../api/index.ts';
import { FieldForm } from '../../ui/index.ts';
import { Entrance } from './Entrance.tsx';
import classes from './Entrance.module.css';
import { words } from './words.ts';

const text = words.forgot;

/** Asks for the mail with a link for a new password. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const send = async (values: { readonly email: string }) => {
    setEmail(values.email.trim());
    await x12.auth.passwordResets.create({ email: values.email.trim() });
    setSent(true);
  };
  return (
    <Entrance title={isSent ? text.sentTitle : text.title} hint={isSent ? text.sent(email) : text.hint}>
      {!isSent && (
        <FieldForm initial={{ email }} labels={{ email: words.fields.email }} send={send} submit={text.submit}>
          {(field) => <TextInput type="email" autoComplete="username" autoFocus {...field('email')} />}
        </FieldForm>
      )}
      <Group gap="lg" className={classes.other}>
        {isSent && (
          <Anchor component="button" type="button" size="sm" fw={600} onClick={() => setSent(false)}>
            {text.again}
          </Anchor>
        )}
        <Anchor component={Link} to="/sign-in" size="sm" fw={600}>
          {text.back}
        </Anchor>
      </Group>
    </Entrance>
  );
}

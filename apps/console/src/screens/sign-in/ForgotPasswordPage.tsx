import { Anchor, Group, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { x12 } from '../../api/index.ts';
import { FieldForm } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { Entrance } from './Entrance.tsx';
import classes from './Entrance.module.css';

const said = words.signIn.forgot;

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
    <Entrance title={isSent ? said.sentTitle : said.title} hint={isSent ? said.sent(email) : said.hint}>
      {!isSent && (
        <FieldForm initial={{ email }} labels={{ email: words.signIn.fields.email }} send={send} submit={said.submit}>
          {(field) => <TextInput type="email" autoComplete="username" autoFocus {...field('email')} />}
        </FieldForm>
      )}
      <Group gap="lg" className={classes.other}>
        {isSent && (
          <Anchor component="button" type="button" size="sm" fw={600} onClick={() => setSent(false)}>
            {said.again}
          </Anchor>
        )}
        <Anchor component={Link} to="/sign-in" size="sm" fw={600}>
          {said.back}
        </Anchor>
      </Group>
    </Entrance>
  );
}

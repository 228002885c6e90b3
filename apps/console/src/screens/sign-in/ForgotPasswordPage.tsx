import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { x12 } from '../../api/index.ts';
import { FieldForm, StrongButton, StrongLink } from '../../ui/index.ts';
import { Entrance, Others } from './Entrance.tsx';
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
      <Others>
        {isSent && <StrongButton onClick={() => setSent(false)}>{text.again}</StrongButton>}
        <StrongLink to="/sign-in">{text.back}</StrongLink>
      </Others>
    </Entrance>
  );
}

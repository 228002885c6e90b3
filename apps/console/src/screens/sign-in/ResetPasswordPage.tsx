import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { x12 } from '../../api/index.ts';
import { forgetLinkSecret, linkSecret } from '../../shell/index.ts';
import { FieldForm, NewPasswordInput } from '../../ui/index.ts';
import { Entrance, NewLink } from './Entrance.tsx';
import { SignInOrUp } from './SignInOrUp.tsx';
import { words } from './words.ts';

const text = words.reset;

/** Sets a new password by the mailed link that opened the page. */
export function ResetPasswordPage() {
  const [token] = useState(() => linkSecret('reset-password'));
  const [isDone, setDone] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  if (isDone) {
    return <SignInOrUp title={text.doneTitle} hint={text.done} onDone={() => navigate({ to: '/' })} />;
  }
  if (token === null)
    return <Entrance title={text.noSecret} hint={text.noSecretHint} children={<NewLink to="/forgot-password" />} />;
  const send = async ({ password }: { readonly password: string }) => {
    await x12.auth.passwordResets.confirm({ token, password });
    forgetLinkSecret();
    // A session of this browser has ended too.
    queries.clear();
    setDone(true);
  };
  return (
    <Entrance title={text.title} hint={text.hint}>
      <FieldForm labels={{ password: text.password }} send={send} submit={text.submit}>
        {(field) => <NewPasswordInput autoFocus {...field('password')} />}
      </FieldForm>
      <NewLink to="/forgot-password" />
    </Entrance>
  );
}

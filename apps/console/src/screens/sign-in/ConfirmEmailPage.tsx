import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldProblem, x12 } from '../../api/index.ts';
import { forgetLinkSecret, linkSecret } from '../../shell/index.ts';
import { ActionButton, ErrorNotice } from '../../ui/index.ts';
import { Entrance, NewLink } from './Entrance.tsx';
import { words } from './words.ts';

const text = words.confirm;

/** Confirms an address by the mailed link that opened the page, once a button is pressed: mail filters open links too. */
export function ConfirmEmailPage() {
  const [token] = useState(() => linkSecret('confirm-email'));
  if (token === null) {
    const { noSecret, noSecretHint } = words.reset;
    return <Entrance title={noSecret} hint={noSecretHint} children={<NewLink to="/account" />} />;
  }
  return <Confirmation token={token} />;
}

function Confirmation({ token }: { readonly token: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const confirmation = useMutation({
    mutationFn: () => x12.auth.email.confirm({ token }),
    onSuccess: () => {
      forgetLinkSecret();
      return queries.invalidateQueries();
    },
  });
  const refusal = fieldProblem(confirmation.error, 'token', text.link);
  const error = refusal ? new Error(refusal) : confirmation.error;
  if (confirmation.data) {
    return (
      <Entrance title={text.doneTitle} hint={text.done(confirmation.data.user.email)}>
        <ActionButton label={text.goOn} autoFocus fullWidth size="md" onClick={() => void navigate({ to: '/' })} />
      </Entrance>
    );
  }
  return (
    <Entrance title={text.title} hint={text.hint}>
      <Stack gap="md">
        {error && <ErrorNotice error={error} title={refusal && words.link.refused} />}
        <Button size="md" loading={confirmation.isPending} onClick={() => confirmation.mutate()}>
          {text.submit}
        </Button>
      </Stack>
      {error && <NewLink to="/account" />}
    </Entrance>
  );
}

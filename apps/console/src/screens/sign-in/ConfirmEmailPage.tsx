import { Anchor, Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { x12, X12Error } from '../../api/index.ts';
import { forgetLinkSecret, linkSecret } from '../../shell/index.ts';
import { ErrorNotice } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { Entrance } from './Entrance.tsx';
import classes from './Entrance.module.css';

const said = words.signIn.confirm;

/** Confirms an address by the mailed link that opened the page, once a button is pressed: mail filters open links too. */
export function ConfirmEmailPage() {
  const [token] = useState(() => linkSecret('confirm-email'));
  if (token === null) {
    const { noSecret, noSecretHint } = words.signIn.reset;
    return <Entrance title={noSecret} hint={noSecretHint} children={<NewLink />} />;
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
  const isLink = confirmation.error instanceof X12Error && 'token' in confirmation.error.fields;
  if (confirmation.data) {
    return (
      <Entrance title={said.doneTitle} hint={said.done(confirmation.data.user.email)}>
        <Button autoFocus fullWidth size="md" onClick={() => void navigate({ to: '/' })}>
          {said.goOn}
        </Button>
      </Entrance>
    );
  }
  return (
    <Entrance title={said.title} hint={said.hint}>
      <Stack gap="md">
        {confirmation.error && <ErrorNotice error={confirmation.error} title={isLink ? said.refused : undefined} />}
        <Button size="md" loading={confirmation.isPending} onClick={() => confirmation.mutate()}>
          {said.submit}
        </Button>
      </Stack>
      {confirmation.error && <NewLink />}
    </Entrance>
  );
}

function NewLink() {
  return (
    <Group gap="lg" className={classes.other}>
      <Anchor component={Link} to="/account" size="sm" fw={600}>
        {said.newLink}
      </Anchor>
    </Group>
  );
}

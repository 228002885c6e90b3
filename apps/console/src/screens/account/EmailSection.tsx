import { Alert, Badge, Button, Group, PasswordInput, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { MailCheck, MailWarning } from 'lucide-react';
import { useState } from 'react';
import { x12 } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { ErrorNotice, FieldForm, notifyDone } from '../../ui/index.ts';
import { Setting } from './Setting.tsx';
import { words } from './words.ts';

export function EmailSection() {
  const { user } = useMe();
  return (
    <Setting title={words.email} hint={words.emailHint}>
      <Group gap="xs">
        <Text component="bdi" fw={560} style={{ overflowWrap: 'anywhere' }}>
          {user.email}
        </Text>
        <Badge color={user.email_verified ? 'sea' : 'yellow'}>
          {user.email_verified ? words.confirmed : words.unconfirmed}
        </Badge>
      </Group>
      {!user.email_verified && <Unconfirmed email={user.email} />}
      <EmailChange />
    </Setting>
  );
}

function Unconfirmed({ email }: { readonly email: string }) {
  const resending = useMutation({
    mutationFn: () => x12.auth.email.resend(),
    onSuccess: () => notifyDone(words.resent(email)),
  });
  return (
    <>
      <Alert role="note" color="yellow" icon={<MailWarning aria-hidden />}>
        <Text size="sm" mb="sm">
          {words.unconfirmedHint}
        </Text>
        <Button size="xs" variant="default" loading={resending.isPending} onClick={() => resending.mutate()}>
          {words.resend}
        </Button>
      </Alert>
      {resending.error && <ErrorNotice error={resending.error} />}
    </>
  );
}

function EmailChange() {
  const { user } = useMe();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const send = async ({ email, password }: { readonly email: string; readonly password: string }) => {
    await x12.auth.email.update({ email: email.trim(), ...(user.has_password && { password }) });
    setSentTo(email.trim());
  };
  return (
    <>
      {sentTo !== null && sentTo !== user.email && (
        <Alert role="status" icon={<MailCheck aria-hidden />} title={words.emailSent(sentTo)}>
          {words.emailSentHint}
        </Alert>
      )}
      <FieldForm
        labels={{ email: words.newEmail, password: words.password }}
        send={send}
        submit={words.changeEmail}
        isEmptied
        size="sm"
      >
        {(field) => (
          <>
            <TextInput
              type="email"
              autoComplete="email"
              description={user.has_password ? undefined : words.freshLink}
              {...field('email')}
            />
            {user.has_password && <PasswordInput autoComplete="current-password" {...field('password')} />}
          </>
        )}
      </FieldForm>
    </>
  );
}

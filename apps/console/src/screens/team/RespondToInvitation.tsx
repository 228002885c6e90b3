import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { InvitationSummary, useInvitation } from '../../shell/index.ts';
import { ErrorNotice, Hint } from '../../ui/index.ts';
import { tokenIn } from './members.ts';
import { useInvitationResponse } from './team-queries.ts';
import { words } from './words.ts';

/** Accepts or declines an invitation by its pasted link or token. @param email the e-mail of the signed-in user */
export function RespondToInvitation({ email }: { readonly email: string }) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const response = useInvitationResponse();
  const token = tokenIn(text);
  const invitation = useInvitation(token, email);
  const isUnread = token !== null && !invitation.data;
  const respond = (act: 'accept' | 'decline') => {
    setWrong(token === null);
    if (token === null || isUnread) return;
    response.mutate({ token, act }, { onSuccess: () => setText('') });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    respond('accept');
  };
  return (
    <Stack component="form" gap="md" maw={560} onSubmit={submit}>
      <Text>
        {words.respondHint}{' '}
        <Text component="bdi" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
      </Text>
      <TextInput
        label={words.token}
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={isWrong && words.tokenWrong}
        autoComplete="off"
        spellCheck={false}
      />
      {token !== null && <InvitationSummary query={invitation} />}
      <Hint>{words.respondWhat}</Hint>
      {response.error && <ErrorNotice error={response.error} />}
      <Group>
        <Button type="submit" disabled={isUnread} loading={response.isPending && response.variables.act === 'accept'}>
          {words.accept}
        </Button>
        <Button
          variant="default"
          disabled={isUnread}
          loading={response.isPending && response.variables.act === 'decline'}
          onClick={() => respond('decline')}
        >
          {words.decline}
        </Button>
      </Group>
    </Stack>
  );
}

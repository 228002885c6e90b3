import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { InvitationSummary, useInvitation } from '../../shell/index.ts';
import { ErrorNotice } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { tokenIn } from './members.ts';
import { useAnswer } from './team-queries.ts';

/** Takes the link or token of an invitation from the one signed in, whose e-mail this is. */
export function AnswerInvitation({ email }: { readonly email: string }) {
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const answer = useAnswer();
  const token = tokenIn(text);
  const invitation = useInvitation(token, email);
  const isUnread = token !== null && !invitation.data;
  const respond = (act: 'accept' | 'decline') => {
    setWrong(token === null);
    if (token === null || isUnread) return;
    answer.mutate({ token, act }, { onSuccess: () => setText('') });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    respond('accept');
  };
  return (
    <Stack component="form" gap="md" maw={560} onSubmit={submit}>
      <Text>
        {words.team.answerHint}{' '}
        <Text component="bdi" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
      </Text>
      <TextInput
        label={words.team.token}
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={isWrong && words.team.tokenWrong}
        autoComplete="off"
        spellCheck={false}
      />
      {token !== null && <InvitationSummary query={invitation} />}
      <Text size="sm" c="dimmed">
        {words.team.answerWhat}
      </Text>
      {answer.error && <ErrorNotice error={answer.error} />}
      <Group>
        <Button type="submit" disabled={isUnread} loading={answer.isPending && answer.variables.act === 'accept'}>
          {words.team.accept}
        </Button>
        <Button
          variant="default"
          disabled={isUnread}
          loading={answer.isPending && answer.variables.act === 'decline'}
          onClick={() => respond('decline')}
        >
          {words.team.decline}
        </Button>
      </Group>
    </Stack>
  );
}

import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { useMe } from '../../shell/index.ts';
import { ErrorNotice, notifyDone } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { tokenIn } from './members.ts';
import { useAnswer } from './team-queries.ts';

interface AnswerInvitationProps {
  /** Of the one who answers. */
  readonly email: string;
  /** From the link; asked for when absent. */
  readonly token?: string;
  readonly onDone?: () => void;
}

/** Asks who is signed in whether they join a team. */
export function AnswerInvitation({ email, token, onDone }: AnswerInvitationProps) {
  const [text, setText] = useState(token ?? '');
  const [isWrong, setWrong] = useState(false);
  const answer = useAnswer();
  const respond = (act: 'accept' | 'decline') => {
    const given = tokenIn(text);
    setWrong(given === null);
    if (given === null) return;
    const onSuccess = ({ team: { owner } }: { team: { owner: string } }) => {
      setText('');
      notifyDone(words.team[act === 'accept' ? 'accepted' : 'declined'](owner));
      onDone?.();
    };
    answer.mutate({ token: given, act }, { onSuccess });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    respond('accept');
  };
  return (
    <Stack component="form" gap="md" maw={560} onSubmit={submit}>
      <Text>
        {token === undefined ? words.team.answerHint : words.team.answerAs}{' '}
        <Text component="bdi" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
      </Text>
      {token === undefined && (
        <TextInput
          label={words.team.token}
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={isWrong && words.team.tokenWrong}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <Text size="sm" c="dimmed">
        {words.team.answerWhat}
      </Text>
      {answer.error && <ErrorNotice error={answer.error} />}
      <Group>
        <Button type="submit" loading={answer.isPending && answer.variables.act === 'accept'} data-autofocus>
          {words.team.accept}
        </Button>
        <Button
          variant="default"
          loading={answer.isPending && answer.variables.act === 'decline'}
          onClick={() => respond('decline')}
        >
          {words.team.decline}
        </Button>
      </Group>
    </Stack>
  );
}

/** Asks about the invitation whose link led here. Its token leaves the address at once. */
export function InvitationFromLink() {
  const [token] = useState(() => tokenIn(decodeURIComponent(location.hash)));
  const [isOpen, setOpen] = useState(token !== null);
  const { user } = useMe();
  const navigate = useNavigate();
  useEffect(() => {
    if (token !== null) void navigate({ to: '.', search: true, hash: '', replace: true });
  }, [token, navigate]);
  const close = () => setOpen(false);
  if (token === null) return null;
  return (
    <Modal opened={isOpen} onClose={close} title={words.team.invitedTitle}>
      <AnswerInvitation email={user.email} token={token} onDone={close} />
    </Modal>
  );
}

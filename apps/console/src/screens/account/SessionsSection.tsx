import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import type { SessionDto } from '../../api/index.ts';
import { shellWords, signOut } from '../../shell/index.ts';
import {
  ActionButton,
  type Column,
  column,
  DataTable,
  fullTime,
  Hint,
  QueryState,
  Section,
  useRecordDialogs,
  When,
} from '../../ui/index.ts';
import { useSessionEnd, useSessions } from './account-queries.ts';
import { words } from './words.ts';

/** The user's sessions: that of this browser first, then the newest. */
export function SessionsSection() {
  const sessions = useSessions();
  const { data } = sessions;
  const { ask, dialogs } = useRecordDialogs();
  const end = useSessionEnd();
  const rows = useMemo(() => data?.toSorted((a, b) => Number(b.is_current) - Number(a.is_current)) ?? [], [data]);
  const endOne = (session: SessionDto) => {
    const { id, browser, address, is_current: isCurrent } = session;
    const subject = [browser ?? words.unknownBrowser, address].filter(Boolean).join(' · ');
    const question = { ...(isCurrent ? words.signingOut : words.ending), action: shellWords.signOut, subject };
    ask(question, isCurrent ? signOut : () => end(id));
  };
  const endOthers = rows.length > 1 && (
    <ActionButton
      label={words.endOthers}
      variant="default"
      size="xs"
      onClick={() => ask(words.endingOthers, () => end('others'))}
    />
  );
  return (
    <Section title={words.sessions} actions={endOthers}>
      <Hint mb="md">{words.sessionsHint}</Hint>
      <QueryState query={sessions} rows={3} height={48} />
      {rows.length > 0 && (
        <DataTable label={words.sessions} rows={rows} columns={columnsOf(endOne)} keyOf={({ id }) => id} />
      )}
      {dialogs}
    </Section>
  );
}

function columnsOf(onEnd: (session: SessionDto) => void): readonly Column<SessionDto>[] {
  const { columns } = words;
  return [
    column(columns.browser, 'minmax(0, 2.4fr)', (session) => (
      <Group gap={8} miw={0}>
        <Text fw={560} size="md">
          {session.browser ?? words.unknownBrowser}
        </Text>
        {session.is_current && <Badge>{words.current}</Badge>}
      </Group>
    )),
    column(columns.address, 'minmax(0, 1.2fr)', ({ address }) => address ?? words.unknownAddress),
    column(columns.used, '9rem', ({ last_used_at: at }) => (at === null ? words.never : <When at={at} />)),
    column(columns.opened, '9rem', ({ created_at: at }) => <When at={at} c="dimmed" />),
    column(
      columns.actions,
      '6.5rem',
      (session) => (
        <Button size="xs" variant="default" onClick={() => onEnd(session)}>
          {shellWords.signOut}
          <VisuallyHidden>, {words.since(fullTime(new Date(session.created_at)))}</VisuallyHidden>
        </Button>
      ),
      { isUntitled: true, isRight: true },
    ),
  ];
}

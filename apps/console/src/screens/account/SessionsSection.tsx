import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import type { SessionDto } from '../../api/index.ts';
import { shellWords, signOut } from '../../shell/index.ts';
import {
  ActionButton,
  type Column,
  ConfirmDialog,
  DataTable,
  fullTime,
  Hint,
  notifyDone,
  QueryState,
  Section,
  useSubject,
  When,
} from '../../ui/index.ts';
import { useSessionEnd, useSessions } from './account-queries.ts';
import { words } from './words.ts';

type Ended = SessionDto | 'others';

/** The user's sessions: that of this browser first, then the newest. */
export function SessionsSection() {
  const sessions = useSessions();
  const { data } = sessions;
  const ending = useSubject<Ended>();
  const columns = useMemo(() => columnsOf(ending.open), [ending.open]);
  const rows = useMemo(() => data?.toSorted((a, b) => Number(b.is_current) - Number(a.is_current)) ?? [], [data]);
  const endOthers = rows.length > 1 && (
    <ActionButton label={words.endOthers} variant="default" size="xs" onClick={() => ending.open('others')} />
  );
  return (
    <Section title={words.sessions} actions={endOthers}>
      <Hint mb="md">{words.sessionsHint}</Hint>
      <QueryState query={sessions} rows={3} height={48} />
      {rows.length > 0 && <DataTable label={words.sessions} rows={rows} columns={columns} keyOf={({ id }) => id} />}
      <Ending subject={ending.subject} opened={ending.isOpen} onClose={ending.close} />
    </Section>
  );
}

function columnsOf(onEnd: (session: SessionDto) => void): readonly Column<SessionDto>[] {
  const { columns } = words;
  return [
    {
      title: columns.browser,
      width: 'minmax(0, 2.4fr)',
      cell: (session) => (
        <Group gap={8} miw={0}>
          <Text fw={560} size="md">
            {session.browser ?? words.unknownBrowser}
          </Text>
          {session.is_current && <Badge>{words.current}</Badge>}
        </Group>
      ),
    },
    { title: columns.address, width: 'minmax(0, 1.2fr)', cell: ({ address }) => address ?? words.unknownAddress },
    {
      title: columns.used,
      width: '9rem',
      cell: ({ last_used_at: at }) => (at === null ? words.never : <When at={at} />),
    },
    { title: columns.opened, width: '9rem', cell: ({ created_at: at }) => <When at={at} c="dimmed" /> },
    {
      title: columns.actions,
      width: '6.5rem',
      isUntitled: true,
      isRight: true,
      cell: (session) => (
        <Button size="xs" variant="default" onClick={() => onEnd(session)}>
          {session.is_current ? shellWords.signOut : words.end}
          <VisuallyHidden>, {words.since(fullTime(new Date(session.created_at)))}</VisuallyHidden>
        </Button>
      ),
    },
  ];
}

interface EndingProps {
  readonly subject: Ended | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks before sessions end. Ending the session of this browser signs out. */
function Ending({ subject, opened, onClose }: EndingProps) {
  const end = useSessionEnd();
  if (subject === null) return null;
  const { title, action, what, confirm } = questionOf(subject, end);
  return (
    <ConfirmDialog opened={opened} onClose={onClose} title={title} action={action} onConfirm={confirm}>
      {subject !== 'others' && (
        <Text fw={600}>{[subject.browser ?? words.unknownBrowser, subject.address].filter(Boolean).join(' · ')}</Text>
      )}
      <Text size="sm">{what}</Text>
    </ConfirmDialog>
  );
}

function questionOf(subject: Ended, end: ReturnType<typeof useSessionEnd>) {
  if (subject === 'others') {
    const confirm = () => end('others').then(() => notifyDone(words.othersEnded));
    return { title: words.endOthersTitle, action: words.endOthers, what: words.endOthersWhat, confirm };
  }
  if (subject.is_current) {
    return { title: words.signOutTitle, action: shellWords.signOut, what: words.signOutWhat, confirm: signOut };
  }
  const confirm = () => end(subject.id).then(() => notifyDone(words.ended));
  return { title: words.endTitle, action: words.endAction, what: words.endWhat, confirm };
}

import { Badge, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import type { SessionDto } from '../../api/index.ts';
import { signOut } from '../../shell/index.ts';
import {
  type Column,
  ConfirmDialog,
  DataTable,
  ErrorNotice,
  fullTime,
  Loading,
  notifyDone,
  Section,
  useSubject,
  When,
} from '../../ui/index.ts';
import { words } from '../../words.ts';
import { useSessionEnd, useSessions } from './account-queries.ts';

const said = words.account;

type Ended = SessionDto | 'others';

/** The user's sessions: that of this browser first, then the newest. */
export function SessionsSection() {
  const { data, error, refetch } = useSessions();
  const ending = useSubject<Ended>();
  const columns = useMemo(() => columnsOf(ending.open), [ending.open]);
  const rows = useMemo(() => data?.toSorted((a, b) => Number(b.is_current) - Number(a.is_current)) ?? [], [data]);
  const endOthers = rows.length > 1 && (
    <Button variant="default" size="xs" onClick={() => ending.open('others')}>
      {said.endOthers}
    </Button>
  );
  return (
    <Section title={said.sessions} actions={endOthers}>
      <Text c="dimmed" size="sm" mb="md">
        {said.sessionsHint}
      </Text>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading rows={3} height={48} />}
      {rows.length > 0 && <DataTable label={said.sessions} rows={rows} columns={columns} keyOf={({ id }) => id} />}
      <Ending subject={ending.subject} opened={ending.isOpen} onClose={ending.close} />
    </Section>
  );
}

function columnsOf(onEnd: (session: SessionDto) => void): readonly Column<SessionDto>[] {
  const { columns } = said;
  return [
    {
      title: columns.browser,
      width: 'minmax(0, 2.4fr)',
      cell: (session) => (
        <Group gap={8} miw={0}>
          <Text fw={560} size="md">
            {session.browser ?? said.unknownBrowser}
          </Text>
          {session.is_current && <Badge>{said.current}</Badge>}
        </Group>
      ),
    },
    { title: columns.address, width: 'minmax(0, 1.2fr)', cell: ({ address }) => address ?? said.unknownAddress },
    {
      title: columns.used,
      width: '9rem',
      cell: ({ last_used_at: at }) => (at === null ? said.never : <When at={at} />),
    },
    { title: columns.opened, width: '9rem', cell: ({ created_at: at }) => <When at={at} c="dimmed" /> },
    {
      title: columns.actions,
      width: '6.5rem',
      isUntitled: true,
      isRight: true,
      cell: (session) => (
        <Button size="xs" variant="default" onClick={() => onEnd(session)}>
          {session.is_current ? words.shell.signOut : said.end}
          <VisuallyHidden>, {said.since(fullTime(new Date(session.created_at)))}</VisuallyHidden>
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
        <Text fw={600}>{[subject.browser ?? said.unknownBrowser, subject.address].filter(Boolean).join(' · ')}</Text>
      )}
      <Text size="sm">{what}</Text>
    </ConfirmDialog>
  );
}

function questionOf(subject: Ended, end: ReturnType<typeof useSessionEnd>) {
  if (subject === 'others') {
    const confirm = () => end('others').then(() => notifyDone(said.othersEnded));
    return { title: said.endOthersTitle, action: said.endOthers, what: said.endOthersWhat, confirm };
  }
  if (subject.is_current) {
    return { title: said.signOutTitle, action: words.shell.signOut, what: said.signOutWhat, confirm: signOut };
  }
  const confirm = () => end(subject.id).then(() => notifyDone(said.ended));
  return { title: said.endTitle, action: said.endAction, what: said.endWhat, confirm };
}

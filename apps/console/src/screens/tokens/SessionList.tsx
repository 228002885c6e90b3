import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { TokenDto } from '../../api/index.ts';
import { signOut } from '../../shell/index.ts';
import {
  ConfirmDialog,
  DataTable,
  ErrorNotice,
  Loading,
  notifyDone,
  Section,
  useSubject,
  When,
} from '../../ui/index.ts';
import { words } from '../../words.ts';
import { sessionColumns } from './token-columns.tsx';
import { useTokenRevocation, useTokens } from './token-queries.ts';
import { openSessions } from './tokens.ts';

const said = words.tokens.sessions;

/** The user's log-ins and browser sessions, with the session of this browser. */
export function SessionList() {
  const { data, error, refetch } = useTokens();
  const ending = useSubject<TokenDto>();
  const columns = useMemo(() => sessionColumns(ending.open), [ending.open]);
  const rows = useMemo(() => openSessions(data ?? [], new Date()), [data]);
  return (
    <Section>
      <Text c="dimmed" size="sm" mb="md">
        {said.hint}
      </Text>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading rows={3} height={48} />}
      {rows.length > 0 && <DataTable label={said.title} rows={rows} columns={columns} keyOf={({ id }) => id} />}
      <Ending subject={ending.subject} opened={ending.isOpen} onClose={ending.close} />
    </Section>
  );
}

interface EndingProps {
  readonly subject: TokenDto | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks before a session ends. Ending the session of this browser signs out. */
function Ending({ subject, opened, onClose }: EndingProps) {
  const end = useTokenRevocation();
  if (subject === null) return null;
  const { id, created_at: created, is_current: isCurrent } = subject;
  const confirm = async () => {
    if (isCurrent) return signOut();
    await end(id);
    notifyDone(said.ended);
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={isCurrent ? said.signOutTitle : said.endTitle}
      action={isCurrent ? words.shell.signOut : said.endAction}
      onConfirm={confirm}
    >
      <Text size="sm" c="dimmed">
        {said.created} <When at={created} />
      </Text>
      <Text size="sm">{isCurrent ? said.signOutWhat : said.endWhat}</Text>
    </ConfirmDialog>
  );
}

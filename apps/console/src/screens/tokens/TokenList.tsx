import { Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { TokenDto } from '../../api/index.ts';
import {
  ConfirmDialog,
  DataTable,
  EmptyState,
  ErrorNotice,
  Loading,
  notifyDone,
  SearchField,
  Section,
  useSubject,
  When,
} from '../../ui/index.ts';
import { useTokenRevocation, useTokens } from './token-queries.ts';
import { tokenColumns } from './token-columns.tsx';
import { apiTokens } from './tokens.ts';
import classes from './Tokens.module.css';
import { words } from './words.ts';

interface TokenListProps {
  readonly q: string;
  readonly onSearch: (q: string) => void;
  /** The button that makes a token. */
  readonly action: ReactNode;
}

/** The user's API tokens. */
export function TokenList({ q, onSearch, action }: TokenListProps) {
  const { data, error, refetch } = useTokens();
  const revoking = useSubject<TokenDto>();
  const columns = useMemo(() => tokenColumns(revoking.open), [revoking.open]);
  const rows = useMemo(() => apiTokens(data ?? [], q), [data, q]);
  return (
    <Section>
      <Text c="dimmed" size="sm" mb="md">
        {words.hint}
      </Text>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading rows={5} height={48} />}
      {data && (rows.length > 0 || q) && <SearchField label={words.find} value={q} onChange={onSearch} />}
      {data && rows.length > 0 && (
        <DataTable label={words.listLabel} rows={rows} columns={columns} keyOf={({ id }) => id} />
      )}
      {data && rows.length === 0 && (
        <EmptyState icon={KeyRound} title={q ? words.noMatch : words.empty} action={action} />
      )}
      <Revocation subject={revoking.subject} opened={revoking.isOpen} onClose={revoking.close} />
    </Section>
  );
}

interface RevocationProps {
  readonly subject: TokenDto | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks before a token is revoked. */
function Revocation({ subject, opened, onClose }: RevocationProps) {
  const revoke = useTokenRevocation();
  if (subject === null) return null;
  const { id, name, last_used_at: used } = subject;
  const { revokeTitle, revokeWhat, revokeAction, revoked, lastUsed, never } = words;
  const confirm = async () => {
    await revoke(id);
    notifyDone(revoked);
  };
  return (
    <ConfirmDialog opened={opened} onClose={onClose} title={revokeTitle} action={revokeAction} onConfirm={confirm}>
      <Text component="bdi" fw={600} className={classes.name}>
        {name}
      </Text>
      <Text size="sm" c="dimmed">
        {lastUsed} {used === null ? never : <When at={used} />}
      </Text>
      <Text size="sm">{revokeWhat}</Text>
    </ConfirmDialog>
  );
}

import { Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { TokenDto } from '../../api/index.ts';
import {
  DataTable,
  EmptyState,
  Hint,
  QueryState,
  SearchField,
  Section,
  useRecordDialogs,
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
  const tokens = useTokens();
  const { data } = tokens;
  const { askFor, dialogs } = useRevocation();
  const rows = useMemo(() => apiTokens(data ?? [], q), [data, q]);
  return (
    <Section>
      <Hint mb="md">{words.hint}</Hint>
      <QueryState query={tokens} rows={5} height={48} />
      {data && (rows.length > 0 || q) && <SearchField label={words.find} value={q} onChange={onSearch} />}
      {data && rows.length > 0 && (
        <DataTable label={words.listLabel} rows={rows} columns={tokenColumns(askFor)} keyOf={({ id }) => id} />
      )}
      {data && rows.length === 0 && (
        <EmptyState icon={KeyRound} title={q ? words.noMatch : words.empty} action={action} />
      )}
      {dialogs}
    </Section>
  );
}

/** Asks before a token is revoked. */
function useRevocation() {
  const { ask, dialogs } = useRecordDialogs();
  const revoke = useTokenRevocation();
  const askFor = ({ id, name, last_used_at: used }: TokenDto) => {
    const what = (
      <Stack gap="md">
        <Text component="bdi" inherit fw={600} className={classes.name}>
          {name}
        </Text>
        <Text inherit c="dimmed">
          {words.lastUsed} {used === null ? words.never : <When at={used} />}
        </Text>
        {words.revokeWhat}
      </Stack>
    );
    ask({ title: words.revokeTitle, what, action: words.revokeAction, done: words.revoked }, () => revoke(id));
  };
  return { askFor, dialogs };
}

import { Badge, Text } from '@mantine/core';
import { KeyRound, Trash2 } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { TokenDto } from '../../api/index.ts';
import {
  type Column,
  column,
  DataTable,
  EmptyState,
  Hint,
  IconButton,
  Note,
  number,
  QueryState,
  SearchField,
  Section,
  useRecordDialogs,
  When,
} from '../../ui/index.ts';
import { useTokenRevocation, useTokens } from './token-queries.ts';
import classes from './Tokens.module.css';
import { apiTokens, expiryOf, scopesInWords } from './tokens.ts';
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
      <>
        <Text inherit c="dimmed">
          {words.lastUsed} {used === null ? words.never : <When at={used} />}
        </Text>
        {words.revokeWhat}
      </>
    );
    ask({ title: words.revokeTitle, subject: name, what, action: words.revokeAction, done: words.revoked }, () =>
      revoke(id),
    );
  };
  return { askFor, dialogs };
}

const titles = words.columns;

const FACTS: readonly Column<TokenDto>[] = [
  column(titles.spent, '10rem', (token) => <Spent token={token} />),
  column(titles.used, '8rem', ({ last_used_at }) => <When at={last_used_at} none={words.never} />),
  column(titles.created, '8rem', ({ created_at }) => <When at={created_at} c="dimmed" />),
  column(titles.expires, '8rem', (token) => <Expiry token={token} />),
];

function tokenColumns(onRevoke: (token: TokenDto) => void): readonly Column<TokenDto>[] {
  return [
    column(titles.name, 'minmax(0, 2.4fr)', ({ name, scopes, customer }) => (
      <div>
        <Text component="bdi" fw={560} size="md" lineClamp={2} title={name} className={classes.name}>
          {name}
        </Text>
        <Note>{scopesInWords(scopes)}</Note>
        {customer !== null && (
          <Note component="bdi" className={classes.name}>
            {words.forCustomer(customer)}
          </Note>
        )}
      </div>
    )),
    ...FACTS,
    column(
      titles.actions,
      '2.5rem',
      (token) => (
        <IconButton
          icon={Trash2}
          iconSize={17}
          label={words.revoke(token.name)}
          tooltip={words.revokeAction}
          onClick={() => onRevoke(token)}
        />
      ),
      { isUntitled: true },
    ),
  ];
}

/** The credits of the budget that are spent or reserved. */
function Spent({ token: { used_credits: used, monthly_credits: budget } }: { readonly token: TokenDto }) {
  if (used === null || budget === null) return <Text inherit c="dimmed" children={words.noBudget} />;
  const isSpent = used >= budget;
  return (
    <Text inherit c={isSpent ? 'var(--mantine-color-error)' : undefined}>
      {words.spentOf(number(used), number(budget))}
    </Text>
  );
}

function Expiry({ token }: { readonly token: TokenDto }) {
  const expiry = expiryOf(token);
  if (expiry === 'later') return <When at={token.expires_at} none={words.never} />;
  if (expiry === 'expired') return <Badge color="red">{words.expired}</Badge>;
  return (
    <Badge color="yellow">
      <When at={token.expires_at} />
    </Badge>
  );
}

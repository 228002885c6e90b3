import { Badge, Text, Tooltip } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { TokenDto } from '../../api/index.ts';
import { type Column, IconButton, Note, number, When } from '../../ui/index.ts';
import { expiryOf, scopesInWords } from './tokens.ts';
import classes from './Tokens.module.css';
import { words } from './words.ts';

const titles = words.columns;

const FACTS: readonly Column<TokenDto>[] = [
  { title: titles.spent, width: '10rem', cell: (token) => <Spent token={token} /> },
  { title: titles.used, width: '8rem', cell: ({ last_used_at }) => <WhenOrNever at={last_used_at} /> },
  { title: titles.created, width: '8rem', cell: ({ created_at }) => <When at={created_at} c="dimmed" /> },
  { title: titles.expires, width: '8rem', cell: (token) => <Expiry token={token} /> },
];

export function tokenColumns(onRevoke: (token: TokenDto) => void): readonly Column<TokenDto>[] {
  return [
    {
      title: titles.name,
      width: 'minmax(0, 2.4fr)',
      cell: ({ name, scopes, customer }) => (
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
      ),
    },
    ...FACTS,
    {
      title: titles.actions,
      width: '2.5rem',
      isUntitled: true,
      cell: (token) => (
        <Tooltip label={words.revokeAction}>
          <IconButton icon={Trash2} iconSize={17} label={words.revoke(token.name)} onClick={() => onRevoke(token)} />
        </Tooltip>
      ),
    },
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

function WhenOrNever({ at }: { readonly at: string | null }) {
  return at === null ? <Text inherit c="dimmed" children={words.never} /> : <When at={at} />;
}

function Expiry({ token }: { readonly token: TokenDto }) {
  const expiry = expiryOf(token);
  if (expiry === 'later') return <WhenOrNever at={token.expires_at} />;
  if (expiry === 'expired') return <Badge color="red">{words.expired}</Badge>;
  return (
    <Badge color="yellow">
      <When at={token.expires_at} />
    </Badge>
  );
}

import { ActionIcon, Badge, Text, Tooltip } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { TokenDto } from '../../api/index.ts';
import { type Column, When } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { expiryOf } from './tokens.ts';
import classes from './Tokens.module.css';

const titles = words.tokens.columns;

const TIMES: readonly Column<TokenDto>[] = [
  { title: titles.used, width: '9rem', cell: ({ last_used_at }) => <WhenOrNever at={last_used_at} /> },
  { title: titles.created, width: '9rem', cell: ({ created_at }) => <When at={created_at} c="dimmed" /> },
  { title: titles.expires, width: '9rem', cell: (token) => <Expiry token={token} /> },
];

export function tokenColumns(onRevoke: (token: TokenDto) => void): readonly Column<TokenDto>[] {
  return [
    {
      title: titles.name,
      width: 'minmax(0, 2.4fr)',
      cell: ({ name }) => (
        <Text component="bdi" fw={560} size="md" lineClamp={2} title={name} className={classes.name}>
          {name}
        </Text>
      ),
    },
    ...TIMES,
    {
      title: titles.actions,
      width: '2.5rem',
      isUntitled: true,
      cell: (token) => (
        <Tooltip label={words.tokens.revokeAction}>
          <ActionIcon aria-label={words.tokens.revoke(token.name)} onClick={() => onRevoke(token)}>
            <Trash2 size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
}

function WhenOrNever({ at }: { readonly at: string | null }) {
  return at === null ? <Text inherit c="dimmed" children={words.tokens.never} /> : <When at={at} />;
}

function Expiry({ token }: { readonly token: TokenDto }) {
  const expiry = expiryOf(token, new Date());
  if (expiry === 'later') return <WhenOrNever at={token.expires_at} />;
  if (expiry === 'expired') return <Badge color="red">{words.tokens.expired}</Badge>;
  return (
    <Badge color="yellow">
      <When at={token.expires_at} />
    </Badge>
  );
}

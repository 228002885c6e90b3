import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { UsersRound } from 'lucide-react';
import { shellWords } from '../../shell/index.ts';
import {
  type Column,
  DataTable,
  EmptyState,
  ErrorNotice,
  Loading,
  MoreOfList,
  PersonName,
  SearchField,
  Section,
  When,
} from '../../ui/index.ts';
import type { DirectoryUserDto } from './generated/index.ts';
import { useUsers } from './operator-queries.ts';
import type { PartProps } from './operator-access.ts';
import { OperatorSwitch } from './OperatorSwitch.tsx';
import { words } from './words.ts';

const titles = words.userColumns;
const TYPING_MS = 250;

const COLUMNS: readonly Column<DirectoryUserDto>[] = [
  {
    title: titles.user,
    width: 'minmax(0, 2.4fr)',
    cell: ({ email, name }) => <PersonName email={email} name={name} />,
  },
  {
    title: titles.workspace,
    width: 'minmax(0, 1.2fr)',
    cell: ({ workspace: { id, is_team: isTeam } }) => words.workspace(id, isTeam),
  },
  { title: titles.role, width: '5.5rem', cell: ({ role }) => shellWords.roles[role] },
  {
    title: titles.plan,
    width: '7rem',
    cell: ({ workspace }) => <Text inherit component="bdi" children={workspace.plan} />,
  },
  { title: titles.joined, width: '8rem', cell: ({ created_at }) => <When at={created_at} c="dimmed" /> },
  { title: titles.operator, width: '5rem', cell: (user) => <OperatorSwitch user={user} /> },
];

/** All users, newest first, searched by e-mail. */
export function UsersPart({ state: { q }, onChange }: PartProps) {
  const [wanted] = useDebouncedValue(q.trim(), TYPING_MS);
  const query = useUsers(wanted);
  const { data, error, isPending, isFetchNextPageError, refetch } = query;
  const users = data?.pages.flatMap(({ users }) => users) ?? [];
  return (
    <Section>
      <SearchField label={words.findUser} value={q} onChange={(q) => onChange({ q })} />
      {error && !isFetchNextPageError && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={6} height={48} />}
      {users.length > 0 && <DataTable label={words.tabs.users} rows={users} columns={COLUMNS} keyOf={({ id }) => id} />}
      {data && users.length === 0 && <EmptyState icon={UsersRound} title={wanted ? words.noUser : words.noUsers} />}
      {data && <MoreOfList query={query} />}
    </Section>
  );
}

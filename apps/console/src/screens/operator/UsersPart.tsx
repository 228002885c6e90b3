import { Switch, Text } from '@mantine/core';
import { Pencil, Trash2, UserMinus, UserPlus, UsersRound } from 'lucide-react';
import { shellWords } from '../../shell/index.ts';
import {
  type ActionItem,
  type Column,
  column,
  orNull,
  PersonName,
  type RecordDialogs,
  useRecordDialogs,
  When,
} from '../../ui/index.ts';
import type { DirectoryUserDto } from './generated/index.ts';
import type { PartProps } from './operator-access.ts';
import { useAccess, useChange, useList, useOperatorChange } from './operator-queries.ts';
import { RecordList } from './RecordList.tsx';
import { words } from './words.ts';

type User = DirectoryUserDto;

const text = words.users;
const { columns: titles } = text;
const ROLES = (['member', 'admin'] as const).map((value) => ({ value, label: shellWords.roles[value] }));

const COLUMNS: readonly Column<User>[] = [
  column(titles.user, 'minmax(0, 2.4fr)', ({ email, name }) => <PersonName email={email} name={name} />),
  column(titles.workspace, 'minmax(0, 1.2fr)', ({ workspace: { id, is_team: isTeam } }) => words.workspace(id, isTeam)),
  column(titles.role, '5.5rem', ({ role }) => shellWords.roles[role]),
  column(titles.plan, '7rem', ({ workspace }) => <Text inherit component="bdi" children={workspace.plan} />),
  column(titles.joined, '8rem', ({ created_at }) => <When at={created_at} c="dimmed" />),
  column(titles.operator, '5rem', (user) => <OperatorSwitch user={user} />),
];

/** All users, newest first, searched by e-mail. */
export function UsersPart({ state: { q }, onChange }: PartProps) {
  const { dialogs, ...open } = useRecordDialogs();
  const { create, actionsOf } = useUserActions(open);
  return (
    <>
      <RecordList
        list={useList('users', 'q', q)}
        text={text}
        icon={UsersRound}
        search={{ label: text.find, value: q, onChange: (next) => onChange({ q: next }) }}
        columns={COLUMNS}
        nameOf={({ email }) => email}
        actionsOf={actionsOf}
        onAdd={create}
      />
      {dialogs}
    </>
  );
}

function useUserActions({ fill, ask }: RecordDialogs) {
  const { create, edit, addTo } = useUserForms(fill);
  const change = useChange();
  const removeFrom = ({ id, email, workspace }: User) =>
    ask(text.removal(email, workspace.id), () => change('DELETE', `workspaces/${workspace.id}/members/${id}`));
  const erase = ({ id, email }: User) => ask(text.deletion(email), () => change('DELETE', `users/${id}`));
  const actionsOf = (user: User): readonly ActionItem[] => [
    { label: words.edit, icon: Pencil, onClick: () => edit(user) },
    { label: text.addMenu, icon: UserPlus, onClick: () => addTo(user) },
    ...(user.workspace.is_team && user.role !== 'owner'
      ? [{ label: text.removeMenu(user.workspace.id), icon: UserMinus, onClick: () => removeFrom(user) }]
      : []),
    { label: words.deleteMenu, icon: Trash2, onClick: () => erase(user), isDangerous: true },
  ];
  return { create, actionsOf };
}

function useUserForms(fill: RecordDialogs['fill']) {
  const change = useChange();
  const external = { label: words.external, hint: words.externalHint, isOptional: true };
  const create = () =>
    fill({
      title: text.newTitle,
      what: text.newWhat,
      fields: {
        email: { label: text.email, type: 'email' },
        name: { label: text.name, isOptional: true },
        external_id: external,
      },
      submit: text.open,
      send: async ({ email, name, external_id }) => {
        await change('POST', 'users', { email, name: orNull(name), external_id: orNull(external_id) });
        return text.opened(email);
      },
    });
  const edit = (user: User) =>
    fill({
      title: text.editTitle(user.email),
      fields: {
        name: { label: text.name, isOptional: true, initial: user.name },
        external_id: { ...external, initial: user.external_id },
      },
      submit: words.save,
      send: async ({ name, external_id }) => {
        await change('PUT', `users/${user.id}`, { name: orNull(name), external_id: orNull(external_id) });
        return words.saved(user.email);
      },
    });
  const addTo = ({ id, email }: User) =>
    fill({
      title: text.addTitle(email),
      what: text.addWhat,
      fields: {
        workspace: { label: text.workspaceId, hint: text.workspaceHint, type: 'number' },
        role: { label: titles.role, choices: ROLES, initial: 'member' },
      },
      submit: text.addAction,
      send: async ({ workspace, role }) => {
        await change('PUT', `workspaces/${workspace}/members/${id}`, { role });
        return text.added(email, Number(workspace));
      },
    });
  return { create, edit, addTo };
}

/** Switch of a user's operator rights. A change asks first; of one's own, for the e-mail too. */
function OperatorSwitch({ user }: { readonly user: DirectoryUserDto }) {
  const { userId } = useAccess();
  const change = useOperatorChange();
  const { ask, dialogs } = useRecordDialogs();
  const { email, is_operator: isOperator } = user;
  const { done, ...question } = isOperator ? words.dismiss : words.appoint;
  const isOwn = user.id === userId && isOperator;
  const own = isOwn && { title: words.ownTitle, what: words.ownWhat, action: words.ownAction, typed: email };
  const color = isOperator ? undefined : 'sea';
  const toggle = () =>
    ask({ ...question, subject: email, done: done(email), color, ...own }, () => change(user, !isOperator));
  return (
    <>
      <Switch aria-label={words.operates(email)} checked={isOperator} onChange={toggle} />
      {dialogs}
    </>
  );
}

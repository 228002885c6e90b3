import { KeyRound, Trash2 } from 'lucide-react';
import { type Column, column, useRecordDialogs, When } from '../../ui/index.ts';
import type { MachineTokenDto, NewMachineTokenResponse } from './generated/index.ts';
import { useChange, useList } from './operator-queries.ts';
import { RecordList } from './RecordList.tsx';
import { RowName } from './RowName.tsx';
import { words } from './words.ts';

const text = words.tokens;

const COLUMNS: readonly Column<MachineTokenDto>[] = [
  column(text.columns.name, 'minmax(0, 2fr)', ({ name }) => <RowName name={name} />),
  column(text.columns.scopes, 'minmax(0, 1.4fr)', ({ scopes }) => scopes.map((scope) => text.rights[scope]).join(', ')),
  column(text.columns.used, '8rem', ({ last_used_at: at }) => <When at={at} none={text.never} />),
  column(text.columns.expires, '8rem', ({ expires_at: at }) => <When at={at} none={text.never} />),
];

/** The tokens with which programs operate the service. */
export function TokensPart() {
  const change = useChange();
  const { dialogs, fill, ask } = useRecordDialogs();
  const create = () =>
    fill({
      title: text.newTitle,
      fields: {
        name: text.nameField,
        scope: {
          label: text.scope,
          choices: Object.entries(text.rights).map(([value, label]) => ({ value, label })),
          initial: 'operate.read',
        },
        expires_in_days: text.lifetimeField,
      },
      submit: text.create,
      send: async ({ name, scope, expires_in_days: days }) => {
        const body = { name, scopes: [scope], expires_in_days: days === '' ? null : Number(days) };
        const { token } = await change<NewMachineTokenResponse>('POST', 'tokens', body);
        return { token, call: '/admin/api/workspaces' };
      },
    });
  const revoke = ({ id, name }: MachineTokenDto) => ask(text.revocation(name), () => change('DELETE', `tokens/${id}`));
  return (
    <>
      <RecordList
        list={useList('tokens')}
        text={text}
        icon={KeyRound}
        columns={COLUMNS}
        nameOf={({ name }) => name}
        actionsOf={(token) => [
          { label: text.revokeMenu, icon: Trash2, onClick: () => revoke(token), isDangerous: true },
        ]}
        onAdd={create}
      />
      {dialogs}
    </>
  );
}

import { Badge } from '@mantine/core';
import { Building2, Coins, KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import {
  type ActionItem,
  type Column,
  column,
  Note,
  number,
  orNull,
  randomKey,
  type RecordDialogs,
  type RecordForm,
  useRecordDialogs,
  When,
} from '../../ui/index.ts';
import type {
  CreateTokenRequest,
  GrantedCreditsResponse,
  NewTokenResponse,
  OperatorWorkspaceDto,
  OperatorWorkspaceResponse,
} from './generated/index.ts';
import type { PartProps } from './operator-access.ts';
import { useChange, useList, useRead } from './operator-queries.ts';
import { RecordList } from './RecordList.tsx';
import { RowName } from './RowName.tsx';
import { words } from './words.ts';

type Workspace = OperatorWorkspaceDto;
type Scope = NonNullable<CreateTokenRequest['scopes']>[number];

const text = words.workspaces;
const SCOPES = ['read', 'generate', 'upload', 'personas', 'boards', 'team', 'webhooks', 'account'] satisfies Scope[];

const COLUMNS: readonly Column<Workspace>[] = [
  column(text.columns.name, 'minmax(0, 2.4fr)', (workspace) => <Name {...workspace} />),
  column(text.columns.plan, '7rem', ({ plan }) => <bdi>{plan}</bdi>),
  column(text.columns.members, '5rem', (workspace) => number(workspace.members_count), { isRight: true }),
  column(text.columns.external, 'minmax(0, 1.2fr)', ({ external_id: id }) => id !== null && <bdi>{id}</bdi>),
  column(text.columns.since, '8rem', ({ created_at }) => <When at={created_at} c="dimmed" />),
];

/** All workspaces, with the forms that applications use by API. */
export function WorkspacesPart({ state: { q }, onChange }: PartProps) {
  const { dialogs, ...open } = useRecordDialogs();
  const { create, actionsOf } = useWorkspaceActions(open);
  return (
    <>
      <RecordList
        list={useList('workspaces', 'external_id', q)}
        text={text}
        icon={Building2}
        search={{ label: text.find, value: q, onChange: (next) => onChange({ q: next }) }}
        columns={COLUMNS}
        nameOf={nameOf}
        actionsOf={actionsOf}
        onAdd={create}
      />
      {dialogs}
    </>
  );
}

function useWorkspaceActions({ fill, ask }: RecordDialogs) {
  const { create, edit } = useWorkspaceForms(fill);
  const grant = useGrantForm();
  const tokensOf = useTokenForm();
  const change = useChange();
  const suspend = (workspace: Workspace, suspended: boolean) => {
    const question = suspended ? text.suspension : text.resumption;
    ask(question(nameOf(workspace)), () => change('PUT', `workspaces/${workspace.id}`, { suspended }));
  };
  const remove = (workspace: Workspace) =>
    ask(text.deletion(nameOf(workspace)), () => change('DELETE', `workspaces/${workspace.id}`));
  const actionsOf = (workspace: Workspace): readonly ActionItem[] => [
    { label: words.edit, icon: Pencil, onClick: () => edit(workspace) },
    { label: text.giveCredits, icon: Coins, onClick: () => fill(grant(workspace)) },
    { label: text.newToken, icon: KeyRound, onClick: () => fill(tokensOf(workspace)) },
    workspace.suspended
      ? { label: text.resumeMenu, icon: Play, onClick: () => suspend(workspace, false) }
      : { label: text.suspendMenu, icon: Pause, onClick: () => suspend(workspace, true) },
    // A personal workspace is deleted with its user.
    ...(workspace.is_team
      ? [{ label: words.deleteMenu, icon: Trash2, onClick: () => remove(workspace), isDangerous: true }]
      : []),
  ];
  return { create, actionsOf };
}

function useWorkspaceForms(fill: RecordDialogs['fill']) {
  const change = useChange();
  const { data } = useRead('plans');
  const plans = data?.plans.flatMap(({ id, is_configured: isConfigured }) => (isConfigured ? [id] : [])) ?? [];
  const create = () =>
    fill({
      title: text.newTitle,
      fields: {
        name: { label: text.name },
        plan: { label: text.plan, choices: plans, initial: plans[0] },
        email: { label: text.email, hint: text.emailHint, type: 'email', isOptional: true },
        external_id: { label: words.external, hint: words.externalHint, isOptional: true },
      },
      submit: text.open,
      send: async ({ name, plan, email, external_id }) => {
        const body = { name, plan, email: orNull(email), external_id: orNull(external_id) };
        const { workspace } = await change<OperatorWorkspaceResponse>('POST', 'workspaces', body);
        return text.opened(nameOf(workspace));
      },
    });
  const edit = ({ id, name: before, plan: current }: Workspace) =>
    fill({
      title: text.editTitle,
      fields: {
        name: { label: text.name, initial: before, isOptional: before === null },
        plan: { label: text.plan, choices: [...new Set([...plans, current])], initial: current },
      },
      submit: words.save,
      send: async ({ name, plan }) => {
        const body = { plan, ...(name !== '' && { name }) };
        const { workspace } = await change<OperatorWorkspaceResponse>('PUT', `workspaces/${id}`, body);
        return words.saved(nameOf(workspace));
      },
    });
  return { create, edit };
}

/** The form that gives credits to a workspace. */
function useGrantForm() {
  const change = useChange();
  return (workspace: Workspace): RecordForm<'amount' | 'reason'> => {
    // The same for each press of the button of this form.
    const key = randomKey();
    return {
      title: text.creditsTitle(nameOf(workspace)),
      what: text.creditsWhat,
      fields: { amount: { label: text.amount, type: 'number' }, reason: { label: text.reason, hint: text.reasonHint } },
      submit: text.give,
      send: async ({ amount, reason }) => {
        const body = { amount: Number(amount), reason, key };
        const { credits } = await change<GrantedCreditsResponse>('POST', `workspaces/${workspace.id}/credits`, body);
        return text.given(number(credits.available));
      },
    };
  };
}

/** The form of a token that acts in a workspace. */
function useTokenForm() {
  const change = useChange();
  return (workspace: Workspace): RecordForm<'name' | 'scopes' | 'customer' | 'expires_in_days'> => ({
    title: text.tokenTitle(nameOf(workspace)),
    what: text.tokenWhat,
    fields: {
      name: words.tokens.nameField,
      scopes: { label: text.scopes, hint: text.scopesHint, choices: SCOPES, isList: true, isOptional: true },
      customer: { label: text.customer, hint: text.customerHint, isOptional: true },
      expires_in_days: words.tokens.lifetimeField,
    },
    submit: words.tokens.create,
    send: async ({ name, scopes, customer, expires_in_days: days }) => {
      const { token } = await change<NewTokenResponse>('POST', `workspaces/${workspace.id}/tokens`, {
        name,
        ...(scopes !== '' && { scopes: scopes.split(',') }),
        customer: orNull(customer),
        expires_in_days: days === '' ? null : Number(days),
      });
      return { token, call: '/v2/models' };
    },
  });
}

function nameOf({ id, name, owner_email: owner }: Workspace): string {
  return name ?? owner ?? text.unnamed(id);
}

function Name(workspace: Workspace) {
  const { id, is_team: isTeam, owner_email: owner, suspended } = workspace;
  const badges = (
    <>
      {!isTeam && <Badge color="gray">{text.personal}</Badge>}
      {suspended && <Badge color="red">{text.suspended}</Badge>}
    </>
  );
  return (
    <RowName name={nameOf(workspace)} badges={badges}>
      <Note>{text.facts(id, owner ?? text.service)}</Note>
    </RowName>
  );
}

import { Badge, Text, Tooltip } from '@mantine/core';
import { Crown, LogOut, RotateCw, ShieldCheck, UserMinus, UserRound } from 'lucide-react';
import type { MemberDto, TeamInfoResponse } from '../../api/index.ts';
import { shellWords } from '../../shell/index.ts';
import { type ActionItem, type Column, column, DataTable, menuColumn, Note, PersonName, When } from '../../ui/index.ts';
import { actionsFor, type MemberAction, standingOf } from './members.ts';
import { QuietName } from './names.ts';
import { words } from './words.ts';

const titles = words.columns;

const ITEMS: Record<MemberAction, Omit<ActionItem, 'onClick'>> = {
  makeAdmin: { label: words.makeAdmin, icon: ShieldCheck },
  makeMember: { label: words.makeMember, icon: UserRound },
  makeOwner: { label: words.makeOwner, icon: Crown },
  sendAgain: { label: words.sendAgain, icon: RotateCw },
  remove: { label: words.remove, icon: UserMinus, isDangerous: true },
  leave: { label: words.leave, icon: LogOut, isDangerous: true },
};

interface MembersTableProps {
  readonly members: readonly MemberDto[];
  readonly info: TeamInfoResponse;
  readonly onAct: (action: MemberAction, member: MemberDto) => void;
}

export function MembersTable({ members, info, onAct }: MembersTableProps) {
  const { user_id, user_level } = info;
  const itemsOf = (member: MemberDto) =>
    actionsFor(member, { user_id, role: user_level }).map((action) => ({
      ...ITEMS[action],
      onClick: () => onAct(action, member),
    }));
  const columns: readonly Column<MemberDto>[] = [
    column(titles.who, 'minmax(0, 2.4fr)', (member) => (
      <PersonName email={member.email} name={member.name}>
        {member.user_id === user_id && <Badge size="sm">{words.you}</Badge>}
        <Standing standing={standingOf(member)} />
      </PersonName>
    )),
    column(titles.role, '8rem', (member) => <RoleOf member={member} />),
    column(titles.joined, '9rem', ({ joined_at }) => <When at={joined_at} />),
    column(titles.addedBy, 'minmax(0, 1.3fr)', ({ added_by }) => <QuietName>{added_by ?? words.byNobody}</QuietName>),
    menuColumn((member) => words.actionsOf(member.name ?? member.email), itemsOf),
  ];
  return <DataTable label={words.tabs.members} rows={members} columns={columns} keyOf={(each) => each.user_id} />;
}

function RoleOf({ member: { role, level } }: { readonly member: MemberDto }) {
  return (
    <>
      <Text span inherit fw={role === 'member' ? 400 : 600}>
        {shellWords.roles[role]}
      </Text>{' '}
      <Note span>{words.level(level)}</Note>
    </>
  );
}

function Standing({ standing }: { readonly standing: ReturnType<typeof standingOf> }) {
  if (standing === 'member') return null;
  const { label, hint } = words.standing[standing];
  return (
    <Tooltip label={hint} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
      <Badge size="sm" color={standing === 'invited' ? 'yellow' : 'gray'} c="var(--mantine-color-text)" tabIndex={0}>
        {label}
      </Badge>
    </Tooltip>
  );
}

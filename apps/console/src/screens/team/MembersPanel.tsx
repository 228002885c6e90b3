import { Group, Select } from '@mantine/core';
import { SearchX, UsersRound } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { InvitationDto, MemberDto, TeamInfoResponse } from '../../api/index.ts';
import { shellWords } from '../../shell/index.ts';
import { useShown } from '../../state/index.ts';
import { ActionButton, EmptyState, Hint, SearchField, uiWords } from '../../ui/index.ts';
import { countInvitationsBy, findMembers, type MemberAction, standingOf } from './members.ts';
import { MembersTable } from './MembersTable.tsx';
import { memberChanges } from './team-queries.ts';
import { useMemberChanges } from './use-member-changes.ts';
import { useMemberQuestions } from './use-member-questions.ts';
import { words } from './words.ts';

interface Filter {
  readonly q: string;
  readonly role: string;
}

interface MembersPanelProps {
  readonly members: readonly MemberDto[];
  readonly invitations: readonly InvitationDto[];
  readonly info: TeamInfoResponse;
  readonly filter: Filter;
  readonly onFilter: (change: Partial<Filter>) => void;
  readonly inviteButton: ReactNode;
}

/** The members with their search, filter and actions. */
export function MembersPanel({ members: read, invitations, info, filter, onFilter, inviteButton }: MembersPanelProps) {
  const members = useShown(memberChanges, read)!;
  const { giveRole, sendAgain } = useMemberChanges();
  const { dialogs, ...ask } = useMemberQuestions(info);
  const found = useMemo(() => findMembers(members, filter.q, filter.role), [members, filter.q, filter.role]);
  const act = (action: MemberAction, member: MemberDto) => {
    const ending = countInvitationsBy(member.email, invitations);
    if (action === 'makeAdmin') giveRole(member, 'admin');
    else if (action === 'sendAgain') sendAgain(member);
    else if (action === 'makeMember' && ending === 0) giveRole(member, 'member');
    else if (action === 'remove' && standingOf(member) === 'invited') ask.revoke(member);
    else ask[action](member, ending);
  };
  const isAlone = members.length === 1;
  return (
    <>
      {!isAlone && <FilterBar filter={filter} onFilter={onFilter} shown={found.length} all={members.length} />}
      {found.length > 0 && <MembersTable members={found} info={info} onAct={act} />}
      {found.length === 0 && <NobodyFound onClear={() => onFilter({ q: '', role: '' })} />}
      {isAlone && <EmptyState icon={UsersRound} title={words.alone} hint={words.aloneHint} action={inviteButton} />}
      {dialogs}
    </>
  );
}

const ROLES = (['owner', 'admin', 'member'] as const).map((role) => ({ value: role, label: shellWords.roles[role] }));

interface FilterBarProps extends Pick<MembersPanelProps, 'filter' | 'onFilter'> {
  readonly shown: number;
  readonly all: number;
}

function FilterBar({ filter, onFilter, shown, all }: FilterBarProps) {
  return (
    <Group gap="sm" align="flex-start">
      <SearchField label={words.search} value={filter.q} onChange={(q) => onFilter({ q })} />
      <Select
        aria-label={words.filterByRole}
        placeholder={words.everyRole}
        data={ROLES}
        value={filter.role || null}
        onChange={(role) => onFilter({ role: role ?? '' })}
        clearable
        clearButtonProps={{ 'aria-label': words.everyRole }}
        w={150}
      />
      <Hint py={8} role="status">
        {words.found(shown, all)}
      </Hint>
    </Group>
  );
}

function NobodyFound({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title={words.nobody}
      hint={words.nobodyHint}
      action={<ActionButton label={uiWords.clearSearch} variant="default" onClick={onClear} />}
    />
  );
}

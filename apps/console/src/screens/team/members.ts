import type { InvitationDto, MemberDto } from '../../api/index.ts';

export type Role = MemberDto['role'];
export type Standing = 'member' | 'unused' | 'asked';

/** Whether they are in the team, in it without having signed in ever, or asked to join. */
export function standingOf({ joined_at, is_confirmed }: Pick<MemberDto, 'joined_at' | 'is_confirmed'>): Standing {
  if (joined_at === null) return 'asked';
  return is_confirmed ? 'member' : 'unused';
}

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** Those in whose name or e-mail each word stands, by name; the owner first. */
export function findMembers(members: readonly MemberDto[], search: string, role: string): readonly MemberDto[] {
  const sought = search.toLowerCase().split(/\s+/).filter(Boolean);
  return members
    .filter((member) => role === '' || member.role === role)
    .filter(({ name, email }) => sought.every((word) => `${name ?? ''} ${email}`.toLowerCase().includes(word)))
    .toSorted((one, other) => Number(isOwner(other)) - Number(isOwner(one)) || byName(nameOf(one), nameOf(other)));
}

const isOwner = ({ role }: MemberDto) => role === 'owner';
const nameOf = ({ name, email }: MemberDto) => name ?? email;

/** What their invitations end with, when they leave or may no longer invite. */
export function countInvitationsBy(email: string, invitations: readonly InvitationDto[]): number {
  return invitations.filter(({ invited_by }) => invited_by === email).length;
}

/** The token of an invitation in what was pasted: itself, or in a link or mail. */
export function tokenIn(text: string): string | null {
  return /(?<![\w-])x12_[\w-]{43}(?![\w-])/.exec(text)?.[0] ?? null;
}

export type MemberAction = 'makeAdmin' | 'makeMember' | 'makeOwner' | 'sendAgain' | 'remove' | 'leave';

/** What to offer somebody who manages the team for one of those in it. The service decides what they may. */
export function actionsFor(member: MemberDto, caller: { user_id: number; role: Role }): readonly MemberAction[] {
  if (member.role === 'owner') return [];
  if (standingOf(member) === 'asked') return ['sendAgain', 'remove'];
  if (member.user_id === caller.user_id) return ['leave'];
  if (caller.role !== 'owner') return ['remove'];
  return [member.role === 'admin' ? 'makeMember' : 'makeAdmin', 'makeOwner', 'remove'];
}

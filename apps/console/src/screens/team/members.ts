import type { InvitationDto, MemberDto } from '../../api/index.ts';
import { matches } from '../../text.ts';

export type Role = MemberDto['role'];
export type Standing = 'member' | 'unused' | 'invited';

/** `unused` is a member who has never signed in, `invited` a user who has not accepted yet. */
export function standingOf({ joined_at, is_confirmed }: Pick<MemberDto, 'joined_at' | 'is_confirmed'>): Standing {
  if (joined_at === null) return 'invited';
  return is_confirmed ? 'member' : 'unused';
}

const byName = new Intl.Collator('en', { numeric: true }).compare;

/** The members whose name or e-mail contains each word, sorted by name after the owner. */
export function findMembers(members: readonly MemberDto[], search: string, role: string): readonly MemberDto[] {
  return members
    .filter((member) => role === '' || member.role === role)
    .filter(({ name, email }) => matches(search, name, email))
    .toSorted((one, other) => Number(isOwner(other)) - Number(isOwner(one)) || byName(nameOf(one), nameOf(other)));
}

const isOwner = ({ role }: MemberDto) => role === 'owner';
const nameOf = ({ name, email }: MemberDto) => name ?? email;

/** The number of pending invitations by a member, which end when the member leaves or may no longer invite. */
export function countInvitationsBy(email: string, invitations: readonly InvitationDto[]): number {
  return invitations.filter(({ invited_by }) => invited_by === email).length;
}

/** Finds the token of an invitation in a pasted token, link or mail. */
export function tokenIn(text: string): string | null {
  return /(?<![\w-])x12_[\w-]{43}(?![\w-])/.exec(text)?.[0] ?? null;
}

export type MemberAction = 'makeAdmin' | 'makeMember' | 'makeOwner' | 'sendAgain' | 'remove' | 'leave';

/** The actions to offer a manager of the team for a member. The service decides which are allowed. */
export function actionsFor(member: MemberDto, caller: { user_id: number; role: Role }): readonly MemberAction[] {
  if (member.role === 'owner') return [];
  if (standingOf(member) === 'invited') return ['sendAgain', 'remove'];
  if (member.user_id === caller.user_id) return ['leave'];
  if (caller.role !== 'owner') return ['remove'];
  return [member.role === 'admin' ? 'makeMember' : 'makeAdmin', 'makeOwner', 'remove'];
}

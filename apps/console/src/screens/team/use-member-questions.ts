import { type MemberDto, type TeamInfoResponse, x12 } from '../../api/index.ts';
import { notifyDone, useRecordDialogs } from '../../ui/index.ts';
import { useRemoval, useRoleChange, useTransfer, useWorkspaceChange } from './team-queries.ts';
import { words } from './words.ts';

/** Questions before changes of members that can't be undone. Render `dialogs`. */
export function useMemberQuestions({ user_id: ownId, owner }: TeamInfoResponse) {
  const { ask, dialogs } = useRecordDialogs();
  const [remove, changeRole, transfer] = [useRemoval(), useRoleChange(), useTransfer()];
  const changeWorkspace = useWorkspaceChange();
  const leave = async () => {
    await x12.team.members.remove({ user_id: ownId });
    notifyDone(words.left);
    await changeWorkspace();
  };
  const nameOf = ({ name, email }: MemberDto) => name ?? email;
  return {
    dialogs,
    /** @param invitations the number of invitations that end */
    makeMember: (member: MemberDto, invitations: number) =>
      ask(words.demotion(nameOf(member), invitations), () => changeRole({ userId: member.user_id, role: 'member' })),
    makeOwner: (member: MemberDto) =>
      ask({ ...words.transfer(nameOf(member)), typed: member.email }, () => transfer(member.user_id)),
    /** @param invitations the number of invitations that end */
    remove: (member: MemberDto, invitations: number) =>
      ask(words.removal(nameOf(member), invitations), () => remove(member.user_id)),
    revoke: ({ email, user_id: id }: MemberDto) => ask(words.revocation(email), () => remove(id)),
    leave: () => ask(words.leaving(owner), leave),
  };
}

import type { MemberDto } from '../../api/index.ts';
import { notifyDone, notifyError, offerUndo } from '../../ui/index.ts';
import { type GivenRole, useInvite, useRoleChange } from './team-queries.ts';
import { words } from './words.ts';

/** Changes without a confirmation: new roles, which can be undone, and repeated mails. */
export function useMemberChanges() {
  const changeRole = useRoleChange();
  const invite = useInvite();
  const giveRole = ({ user_id: userId, name, email, role: before }: MemberDto, role: GivenRole) => {
    const back = () => changeRole({ userId, role: before as GivenRole });
    const offer = () => offerUndo(words.isNow(name ?? email, words.asRole[role]), back);
    void changeRole({ userId, role }).then(offer, notifyError);
  };
  const sendAgain = ({ email, role }: Pick<MemberDto, 'email' | 'role'>) => {
    const done = () => notifyDone(words.sentAgain(email));
    void invite({ email, role: role as GivenRole, password: null }).then(done, notifyError);
  };
  return { giveRole, sendAgain };
}

import { Stack, Text } from '@mantine/core';
import type { MemberDto, TeamInfoResponse } from '../../api/index.ts';
import { ConfirmDialog, notifyDone } from '../../ui/index.ts';
import { LeaveDialog } from './LeaveDialog.tsx';
import { useRemoval, useRoleChange, useTransfer } from './team-queries.ts';
import { words } from './words.ts';

export interface MemberQuestion {
  readonly action: 'makeMember' | 'makeOwner' | 'remove' | 'revoke' | 'leave';
  readonly member: MemberDto;
  /** The number of invitations that the action ends. */
  readonly endingInvitations: number;
}

interface MemberDialogsProps {
  readonly question: MemberQuestion | null;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly info: TeamInfoResponse;
}

/** Asks for confirmation before an action on a member that can't be undone. */
export function MemberDialogs({ question, opened, onClose, info }: MemberDialogsProps) {
  const remove = useRemoval();
  const changeRole = useRoleChange();
  const transfer = useTransfer();
  const isLeaving = question?.action === 'leave';
  const confirm = async ({ action, member: { user_id: userId } }: MemberQuestion) => {
    if (action === 'makeMember') await changeRole({ userId, role: 'member' });
    else if (action === 'makeOwner') await transfer(userId);
    else await remove(userId);
  };
  const { title, sentences, action, done } = question ? wordsFor(question) : NO_WORDS;
  // Both are always mounted: a dialog returns the focus only if it was mounted before it opened.
  return (
    <>
      <LeaveDialog info={info} opened={opened && isLeaving} onClose={onClose} />
      <ConfirmDialog
        opened={opened && !isLeaving}
        onClose={onClose}
        title={title}
        action={action}
        typed={question?.action === 'makeOwner' ? question.member.email : undefined}
        onConfirm={() => confirm(question!).then(() => notifyDone(done))}
      >
        <Stack gap="xs">
          {sentences.map((sentence) => (
            <Text key={sentence}>{sentence}</Text>
          ))}
        </Stack>
      </ConfirmDialog>
    </>
  );
}

interface QuestionWords {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly action: string;
  readonly done: string;
}

const NO_WORDS: QuestionWords = { title: '', sentences: [], action: '', done: '' };

function wordsFor({ action, member, endingInvitations }: MemberQuestion): QuestionWords {
  const of = words;
  const { email } = member;
  const name = member.name ?? email;
  const ending = endingInvitations === 0 ? [] : [of.endsInvitations(endingInvitations)];
  if (action === 'makeMember') {
    const sentences = [of.demoteWhat(name, endingInvitations)];
    return { title: of.demoteTitle(name), sentences, action: of.makeMember, done: of.isNow(name, of.asRole.member) };
  }
  if (action === 'makeOwner') {
    const sentences = of.transferWhat(name);
    return { title: of.transferTitle(name), sentences, action: of.transferAction, done: of.transferred(name) };
  }
  if (action === 'revoke') {
    return {
      title: of.revokeTitle,
      sentences: [of.revokeWhat(email)],
      action: of.revokeAction,
      done: of.revoked(email),
    };
  }
  const sentences = [...of.removeWhat(name), ...ending, of.removeBack];
  return { title: of.removeTitle(name), sentences, action: of.removeAction, done: of.removed(name) };
}

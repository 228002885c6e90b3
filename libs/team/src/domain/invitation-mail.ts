import type { TokenSecret } from '#identity';
import { mailOf, readableTime, shownName, type MailMessage } from '#mail';
import type { PendingInvitation } from './invitation.ts';

/** The facts that the mail of an invitation states. */
export type InvitationLetter = Pick<PendingInvitation, 'email' | 'role' | 'inviter' | 'owner' | 'expiresAt'>;

/** The URLs by which an invitation is accepted or declined. */
export interface InvitationUrls {
  /** Of the API. */
  readonly api: string;
  /** A page for people, which takes the token from its fragment; `null` when the operator has none. */
  readonly page: string | null;
}

/** The mail that carries an invitation's token. */
export function invitationMail(letter: InvitationLetter, token: TokenSecret, urls: InvitationUrls): MailMessage {
  const { email, role, owner } = letter;
  const team = `the team of ${owner.email}, as ${role === 'admin' ? 'an admin' : 'a member'}`;
  const link = urls.page && { link: `${urls.page}#token=${token}`, label: 'Answer the invitation' };
  return mailOf({
    to: email,
    subject: `${letter.inviter.email} invites you to a team`,
    parts: [
      `${shownName(letter.inviter)} invites you to ${team}.`,
      ...(link ? [link] : []),
      `Sign up or log in as ${email}, then accept or decline with this token:`,
      { token },
      `The token works once, until ${readableTime(letter.expiresAt)}.`,
      {
        note: `Programs call\nPOST ${urls.api}/v2/team/respond_invitation\nwith the fields token and act (accept or decline).`,
      },
      { note: 'If you did not expect this, ignore it: nothing happens without your answer.' },
    ],
  });
}

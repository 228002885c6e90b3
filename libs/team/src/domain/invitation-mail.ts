import type { TokenSecret } from '#identity';
import { mailOf, readableTime, shownName, type MailMessage } from '#mail';
import type { PendingInvitation } from './invitation.ts';

/** The facts that the mail of an invitation states. */
export type InvitationLetter = Pick<PendingInvitation, 'email' | 'role' | 'inviter' | 'owner' | 'expiresAt'>;

/** The URLs to accept or decline an invitation. */
export interface InvitationUrls {
  /** The API. */
  readonly api: string;
  /** A web page that reads the token from its fragment; `null` for none. */
  readonly page: string | null;
}

/** The mail that carries an invitation's token. */
export function invitationMail(letter: InvitationLetter, token: TokenSecret, urls: InvitationUrls): MailMessage {
  const { email, role, owner } = letter;
  const team = `the team of ${owner.email}, as ${role === 'admin' ? 'an admin' : 'a member'}`;
  const link = urls.page && { link: `${urls.page}#token=${token}`, label: 'Respond to the invitation' };
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
      { note: 'If you did not expect this, ignore it: nothing happens without your response.' },
    ],
  });
}

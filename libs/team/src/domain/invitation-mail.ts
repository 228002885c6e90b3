import type { TokenSecret } from '#identity';
import { mailOf, readableTime, shownName, type MailMessage, type MailPart } from '#mail';
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

function byPage(email: string, token: TokenSecret, page: string): readonly MailPart[] {
  const link = { link: `${page}#token=${token}`, label: 'Respond to the invitation' };
  return [link, `Sign up or log in there as ${email}, then accept or decline.`];
}

/** Without a page, the token is for a program. */
function byToken(email: string, token: TokenSecret, api: string): readonly MailPart[] {
  return [
    `Sign up or log in as ${email}, then accept or decline with this token:`,
    { token },
    {
      note: `Programs call\nPOST ${api}/v2/team/respond_invitation\nwith the fields token and act (accept or decline).`,
    },
  ];
}

/** The mail that carries an invitation's token. */
export function invitationMail(letter: InvitationLetter, token: TokenSecret, urls: InvitationUrls): MailMessage {
  const { email, role, owner } = letter;
  const team = `the team of ${owner.email}, as ${role === 'admin' ? 'an admin' : 'a member'}`;
  return mailOf({
    to: email,
    subject: `${letter.inviter.email} invites you to a team`,
    parts: [
      `${shownName(letter.inviter)} invites you to ${team}.`,
      ...(urls.page === null ? byToken(email, token, urls.api) : byPage(email, token, urls.page)),
      `The invitation works once, until ${readableTime(letter.expiresAt)}.`,
      { note: 'If you did not expect this, ignore it: nothing happens without your response.' },
    ],
  });
}

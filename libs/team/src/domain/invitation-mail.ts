import type { Email, TokenSecret } from '#identity';
import type { PendingInvitation, Person } from './invitation.ts';

/** What the mail says of the invitation. */
export type InvitationLetter = Pick<PendingInvitation, 'email' | 'role' | 'inviter' | 'owner' | 'expiresAt'>;

/** The URLs by which an invitation is answered. */
export interface AnswerPlaces {
  /** Of the API. */
  readonly apiUrl: string;
  /** A page for people, which takes the token from its fragment; `null` when the operator has none. */
  readonly pageUrl: string | null;
}

export interface MailMessage {
  readonly to: Email;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The mail that carries an invitation's token. */
export function invitationMail(letter: InvitationLetter, token: TokenSecret, places: AnswerPlaces): MailMessage {
  const { email, role, owner } = letter;
  const inviter = shownName(letter.inviter);
  const opening = `${inviter} invites you to the team of ${owner.email}, as ${role === 'admin' ? 'an admin' : 'a member'}.`;
  const whoAnswers = `Sign up or log in as ${email}, then accept or decline with this token:`;
  const untilWhen = `It works once, until ${readableTime(letter.expiresAt)}.`;
  const call = `POST ${places.apiUrl}/v2/team/respond_invitation`;
  const fields = `with the fields token, and act (accept or decline)`;
  const unexpected = 'If you did not expect this, ignore it: nothing happens without your answer.';
  const link = places.pageUrl === null ? null : `${places.pageUrl}#token=${token}`;
  return {
    to: email,
    subject: `${letter.inviter.email} invites you to a team`,
    text: [
      opening,
      ...(link === null ? [] : [`Answer it here:\n${link}`]),
      whoAnswers,
      token,
      untilWhen,
      `Programs answer it by\n${call}\n${fields}.`,
      unexpected,
    ].join('\n\n'),
    html: [
      '<!doctype html>',
      '<html lang="en"><head><meta charset="utf-8"><title>Invitation</title></head>',
      '<body style="font: 16px/1.5 sans-serif; color: #222; max-width: 34em">',
      `<p>${escaped(opening)}</p>`,
      ...(link === null ? [] : [`<p><a href="${escaped(link)}">Answer the invitation</a></p>`]),
      `<p>${escaped(whoAnswers)}</p>`,
      '<pre style="font-size: 14px; background: #f2f2f2; padding: 12px">',
      `${token}</pre>`,
      `<p>${escaped(untilWhen)}</p>`,
      `<p style="color: #666; font-size: 14px">Programs answer it by<br>`,
      `<code>${escaped(call)}</code><br>`,
      `${escaped(fields)}.</p>`,
      `<p style="color: #666; font-size: 14px">${escaped(unexpected)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

/** A user's name, untrusted: without control and format characters, which could disguise the rest of the line. */
function shownName({ name, email }: Person): string {
  const plain = name?.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return plain ? `${plain} (${email})` : email;
}

const TIME_FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });

function readableTime(time: Date): string {
  return `${TIME_FORMAT.format(time)} UTC`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

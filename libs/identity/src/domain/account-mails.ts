import { mailOf, readableTime, type MailMessage } from '#mail';
import type { Confirmation, ConfirmationPurpose } from './confirmation.ts';
import type { Email } from './email.ts';
import type { TokenSecret } from './token.ts';

/** Pages of the console that take a token from their fragment, which browsers send to no server. */
const PAGES: Readonly<Record<ConfirmationPurpose, string>> = {
  password_reset: 'reset-password',
  email: 'confirm-email',
};

/** The address of the page that uses a mailed token. */
export function confirmationAddress(publicUrl: string, purpose: ConfirmationPurpose, token: TokenSecret): string {
  return `${publicUrl}/console/${PAGES[purpose]}#token=${token}`;
}

interface Letter {
  readonly subject: string;
  readonly opening: (confirmation: Confirmation) => string;
  readonly label: string;
  readonly unexpected: string;
}

const LETTERS: Readonly<Record<ConfirmationPurpose, Letter>> = {
  password_reset: {
    subject: 'Choose a new password',
    opening: ({ email }) => `Somebody asked for a new password for the account ${email}.`,
    label: 'Choose a new password',
    unexpected: 'If it was not you, ignore this mail: your password stays as it is.',
  },
  email: {
    subject: 'Confirm your e-mail address',
    opening: ({ email }) => `Please confirm that ${email} is the address of your account.`,
    label: 'Confirm the address',
    unexpected: 'If you have no account here, ignore this mail: without your confirmation nothing happens.',
  },
};

/** The mail that carries the token of a confirmation. */
export function confirmationMail(confirmation: Confirmation, token: TokenSecret, publicUrl: string): MailMessage {
  const { purpose, email, expiresAt } = confirmation;
  const { subject, opening, label, unexpected } = LETTERS[purpose];
  return mailOf({
    to: email,
    subject,
    parts: [
      opening(confirmation),
      { link: confirmationAddress(publicUrl, purpose, token), label },
      `The link works once, until ${readableTime(expiresAt)}. Its token is:`,
      { token },
      { note: unexpected },
    ],
  });
}

/** News of an account that its owner should know, in case somebody else caused them. */
export const ACCOUNT_NOTICES = [
  ...(['email_change_requested', 'password_changed', 'password_removed', 'export_ready'] as const),
  ...(['two_factor_on', 'two_factor_off', 'recovery_code_used', 'webhook_endpoint_disabled'] as const),
] as const;
export type AccountNotice = (typeof ACCOUNT_NOTICES)[number];

interface Notice {
  readonly subject: string;
  readonly text: string;
  /** A page of the console that the notice is about. */
  readonly page?: { readonly path: string; readonly label: string };
}

const NOTICES: Readonly<Record<AccountNotice, Notice>> = {
  email_change_requested: {
    subject: 'A new e-mail address was entered for your account',
    text:
      'Somebody who is signed in to your account entered another e-mail address for it. Your account keeps this address ' +
      'until the new one is confirmed.',
  },
  password_changed: {
    subject: 'The password of your account was changed',
    text: 'The password of your account was changed, and all other sessions were signed out.',
  },
  password_removed: {
    subject: 'You now sign in to your account by single sign-on',
    text:
      'You signed in by single sign-on, and the address of your account had not been confirmed before. In case somebody ' +
      'else had opened the account, its password, sessions and API tokens were removed.',
  },
  export_ready: {
    subject: 'The export of your data is ready',
    text: 'The data of your account was exported, as you asked. For 24 hours you can download it from your account page.',
    page: { path: 'account', label: 'Download your data' },
  },
  two_factor_on: {
    subject: 'Two-factor was turned on for your account',
    text: 'A sign-in to your account now needs a code of an authenticator app too. All other sessions were signed out.',
  },
  two_factor_off: {
    subject: 'Two-factor was turned off for your account',
    text: 'A sign-in to your account no longer needs a code of an authenticator app.',
  },
  recovery_code_used: {
    subject: 'A recovery code of your account was used',
    text: 'A recovery code of your account was used instead of a code of the authenticator app. It does not work again.',
  },
  webhook_endpoint_disabled: {
    subject: 'A webhook endpoint was disabled',
    text:
      'A webhook endpoint of your workspace failed for three days, so it gets no events now. When it works, activate it ' +
      'again, and deliver the events of that time once more: they are kept for 30 days.',
    page: { path: 'tokens', label: 'See the calls of webhooks' },
  },
};

/** The mail with a notice: it asks for nothing and carries no token. */
export function noticeMail(email: Email, notice: AccountNotice, publicUrl: string): MailMessage {
  const { subject, text, page } = NOTICES[notice];
  const pages = page ? [{ link: `${publicUrl}/console/${page.path}`, label: page.label }] : [];
  const link = { link: `${publicUrl}/console/forgot-password`, label: 'Choose a new password' };
  const parts = [text, ...pages, 'If it was not you, choose a new password at once:', link];
  return mailOf({ to: email, subject, parts });
}

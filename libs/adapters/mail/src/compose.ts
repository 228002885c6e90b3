import type { SendMailOptions } from 'nodemailer/lib/mailer';
import { MailRefused, type MailMessage } from '#mail';

/** Loads nodemailer with the first message: an idle process saves its 10 MB. */
export const loadNodemailer = () => import('nodemailer');

/**
 * The message for nodemailer. The recipient is an object, so that it is not parsed as a list of addresses.
 *
 * @throws MailRefused for an address that cannot exist (RFC 2606), such as that of a service account
 */
export function compose({ to, subject, text, html }: MailMessage, from: string): SendMailOptions {
  if (to.endsWith('.invalid')) throw new MailRefused('addresses that end in .invalid do not exist');
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    // Suppresses automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

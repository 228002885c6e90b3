import type { SendMailOptions } from 'nodemailer/lib/mailer';
import type { MailMessage } from '#mail';

/** Loads nodemailer with the first message: an idle process saves its 10 MB. */
export const loadNodemailer = () => import('nodemailer');

/** The message for nodemailer. The recipient is an object, so that it is not parsed as a list of addresses. */
export function compose({ to, subject, text, html }: MailMessage, from: string): SendMailOptions {
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

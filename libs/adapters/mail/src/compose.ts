import type { SendMailOptions } from 'nodemailer/lib/mailer';
import type { MailMessage } from '#team';

/** What nodemailer makes a message of. The address is given as one, so that nothing in it is read as a list. */
export function compose({ to, subject, text, html }: MailMessage, from: string): SendMailOptions {
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    // No answers from absence notices and the like.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A mail in plain text and HTML. */
export interface MailMessage {
  /** E-mail address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A part of a mail's body: a paragraph, a link, a token on a line of its own, or small print. */
export type MailPart =
  | string
  | { readonly link: string; readonly label: string }
  | { readonly token: string }
  | { readonly note: string };

/** Writes a mail once, for readers of plain text and of HTML. Every part is text: markup in it is shown as it is. */
export function mailOf(mail: {
  readonly to: string;
  readonly subject: string;
  readonly parts: readonly MailPart[];
}): MailMessage {
  const { to, subject, parts } = mail;
  return {
    to,
    subject,
    text: parts.map(textOf).join('\n\n'),
    html: [
      '<!doctype html>',
      `<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
      '<body style="font: 16px/1.5 sans-serif; color: #222; max-width: 34em">',
      ...parts.map(htmlOf),
      '</body></html>',
    ].join('\n'),
  };
}

function textOf(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('link' in part) return `${part.label}:\n${part.link}`;
  return 'token' in part ? part.token : part.note;
}

function htmlOf(part: MailPart): string {
  if (typeof part === 'string') return `<p>${escaped(part)}</p>`;
  if ('link' in part) return `<p><a href="${escaped(part.link)}">${escaped(part.label)}</a></p>`;
  if ('token' in part) {
    // Mail servers fold long lines, but a token must stay on a line of its own.
    return `<pre style="font-size: 14px; background: #f2f2f2; padding: 12px">\n${part.token}</pre>`;
  }
  return `<p style="color: #666; font-size: 14px">${escaped(part.note).replaceAll('\n', '<br>\n')}</p>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A user's name, untrusted: without control and format characters, which could disguise the rest of the line. */
export function shownName({ name, email }: { readonly name: string | null; readonly email: string }): string {
  const plain = name?.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return plain ? `${plain} (${email})` : email;
}

const TIME_FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });

/** Such as "Saturday, 28 November 2026 at 07:30 UTC". */
export function readableTime(time: Date): string {
  return `${TIME_FORMAT.format(time)} UTC`;
}

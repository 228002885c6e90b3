import type { ReceivedMail } from '#testing/mail';

/** Reads a message with a text and an HTML part, as a mail program would. */
export function parseMail(bytes: Buffer): ReceivedMail {
  const raw = bytes.toString('latin1');
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type']![0]!)![1]!;
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
  const part = (type: string): string =>
    decoded(parts.find(({ headers }) => headers['content-type']![0]!.startsWith(type))!);
  return { raw: bytes.toString('utf8'), headers, text: part('text/plain'), html: part('text/html') };
}

interface Part {
  readonly headers: Record<string, string[]>;
  readonly body: string;
}

function split(text: string): Part {
  const end = text.indexOf('\r\n\r\n');
  const headers: Record<string, string[]> = {};
  const unfolded = text.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  for (const line of unfolded.split('\r\n')) {
    const [, name, value] = /^([!-9;-~]+): ?(.*)$/.exec(line)!;
    (headers[name!.toLowerCase()] ??= []).push(words(utf8(value!)));
  }
  return { headers, body: text.slice(end + 4) };
}

/** RFC 2047: the whitespace between encoded words is none. */
function words(value: string): string {
  return value
    .replace(/(\?=) +(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : quotedPrintable(text.replaceAll('_', ' ')),
    );
}

function decoded({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding']![0];
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : encoding === 'quoted-printable'
        ? quotedPrintable(body.replace(/=\r\n/g, ''))
        : utf8(body);
  return text.replaceAll('\r\n', '\n');
}

function quotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return utf8(bytes);
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

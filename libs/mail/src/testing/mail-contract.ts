import { describe, expect, it } from '@jest/globals';
import type { Mail, MailMessage } from '../index.ts';

/** A message as it came out, its encodings undone. */
export interface ReceivedMail {
  /** As it travelled. */
  readonly raw: string;
  /** By lower-case name, unfolded. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
  readonly html: string;
}

export interface MailSetting {
  readonly mail: Mail;
  /** Mails sent since the setting was made. */
  received(): Promise<readonly ReceivedMail[]>;
}

/** Contract of every adapter of `Mail`. `make` gives an empty box each time. */
export function mailContract(name: string, make: () => Promise<MailSetting>): void {
  describe(`mail: ${name}`, () => {
    const message = (differences: Partial<MailMessage> = {}): MailMessage => ({
      to: 'ada@example.com',
      subject: 'An invitation',
      text: 'Come in.',
      html: '<p>Come in.</p>',
      ...differences,
    });

    it('carries address, subject, text and HTML to where it goes', async () => {
      const { mail, received } = await make();
      await mail.check();
      await mail.send(message());
      expect(await received()).toEqual([
        {
          raw: expect.any(String),
          text: 'Come in.',
          html: '<p>Come in.</p>',
          headers: expect.objectContaining({
            from: ['X12 <x12@example.com>'],
            to: ['ada@example.com'],
            subject: ['An invitation'],
            'auto-submitted': ['auto-generated'],
            'mime-version': ['1.0'],
            'content-type': [expect.stringMatching(/^multipart\/alternative;/)],
            date: [expect.any(String)],
            'message-id': [expect.any(String)],
          }),
        },
      ]);
    });

    it('leaves text as it is: long lines, lines of one dot, other scripts, what looks like a header', async () => {
      const { mail, received } = await make();
      const text = [
        `x12_${'A'.repeat(43)}`,
        'Schöne Grüße, Ада 🎉'.repeat(40),
        '.',
        '..',
        'Bcc: all@example.com',
        '',
        'From here on',
      ].join('\n');
      const html = `<p>${text}</p>`;
      await mail.send(message({ text, html }));
      expect((await received())[0]).toMatchObject({ text, html });
    });

    it('keeps a token readable in the very bytes, on a line of its own', async () => {
      const { mail, received } = await make();
      const token = `x12_${'-_'.repeat(21)}A`;
      await mail.send(message({ text: `Grüße\n\n${token}\n\nBye` }));
      expect((await received())[0]!.raw.split('\r\n')).toContain(token);
    });

    it('takes a subject for a subject, whatever is in it', async () => {
      const { mail, received } = await make();
      const subject = 'Ada\r\nBcc: all@example.com\r\n\r\n<script>';
      await mail.send(message({ subject }));
      const [{ headers }] = (await received()) as [ReceivedMail];
      expect(headers.bcc).toBeUndefined();
      expect(headers.to).toEqual(['ada@example.com']);
      expect(headers.subject!.join()).toContain('Bcc: all@example.com');
    });

    it('keeps messages apart', async () => {
      const { mail, received } = await make();
      const subjects = Array.from({ length: 12 }, (_, index) => `Number ${index}`);
      await Promise.all(subjects.map((subject) => mail.send(message({ subject }))));
      const came = (await received()).map(({ headers }) => headers.subject![0]);
      expect(came.sort()).toEqual(subjects.sort());
    });
  });
}

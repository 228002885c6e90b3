import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { emailOf } from '#identity';
import { MailRefused } from '#team';
import { mailContract } from '#testing/team';
import { SmtpMail } from './smtp-mail.ts';
import { SmtpCatcher, type SmtpCatcherOptions } from './testing/index.ts';

const from = 'X12 <x12@example.com>';
const message = { to: emailOf('ada@example.com'), subject: 'Hi', text: 'Hi', html: '<p>Hi</p>' };
const catchers: SmtpCatcher[] = [];
const newCatcher = async (options?: SmtpCatcherOptions) => {
  const catcher = await SmtpCatcher.start(options);
  catchers.push(catcher);
  return catcher;
};
afterAll(() => Promise.all(catchers.map((catcher) => catcher.stop())));

mailContract('an SMTP server', async () => {
  const catcher = await newCatcher();
  return { mail: new SmtpMail({ url: catcher.url, from }), received: async () => catcher.received };
});

describe('mail by SMTP', () => {
  let silent: Server | null = null;
  afterEach(() => {
    silent?.close();
    silent = null;
  });

  const outcome = async (mail: SmtpMail, act: 'send' | 'check' = 'send') => {
    const error = await (act === 'send' ? mail.send(message) : mail.check()).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error instanceof MailRefused) return 'refused';
    return (error as { code?: string } | null)?.code ?? 'sent';
  };

  it('goes to the recipient that the envelope names, and no other', async () => {
    const catcher = await newCatcher();
    await new SmtpMail({ url: catcher.url, from }).send({ ...message, subject: 'x\r\nBcc: b@example.com' });
    expect(catcher.recipients).toEqual(['ada@example.com']);
  });

  it('reaches addresses in other scripts', async () => {
    const catcher = await newCatcher();
    await new SmtpMail({ url: catcher.url, from }).send({ ...message, to: emailOf('ада@почта.test') });
    expect(catcher.received[0]!.headers.to).toEqual(['ада@почта.test']);
  });

  it.each([
    [{ at: 'RCPT TO', code: 550 }, 'refused'],
    [{ at: 'RCPT TO', code: 450 }, 'unavailable'],
    [{ at: 'DATA', code: 554 }, 'refused'],
    [{ at: 'DATA', code: 451 }, 'unavailable'],
    [{ at: 'MAIL FROM', code: 550 }, 'unavailable'],
    [{ at: 'MAIL FROM', code: 421 }, 'unavailable'],
    ['take', 'sent'],
  ] as const)('that the server answers with %j is %s', async (verdict, expected) => {
    const catcher = await newCatcher();
    catcher.verdict = verdict;
    expect(await outcome(new SmtpMail({ url: catcher.url, from }))).toBe(expected);
    expect(catcher.received).toHaveLength(expected === 'sent' ? 1 : 0);
  });

  it('waits for better times while the server is down, and goes when it is up again', async () => {
    const catcher = await newCatcher();
    const mail = new SmtpMail({ url: catcher.url, from });
    await catcher.stop();
    expect([await outcome(mail), await outcome(mail, 'check')]).toEqual(['unavailable', 'unavailable']);
    await catcher.start();
    expect([await outcome(mail), await outcome(mail, 'check')]).toEqual(['sent', 'sent']);
  });

  it('logs in with user and password, and takes a wrong one for something to be mended', async () => {
    const catcher = await newCatcher({ user: { name: 'x12', password: 'right' } });
    expect(await outcome(new SmtpMail({ url: catcher.url, from }))).toBe('sent');
    const wrong = new SmtpMail({ url: catcher.url.replace('right', 'wrong'), from });
    expect([await outcome(wrong), await outcome(wrong, 'check')]).toEqual(['unavailable', 'unavailable']);
    const nobody = new SmtpMail({ url: catcher.url.replace('x12:right@', ''), from });
    expect(await outcome(nobody)).toBe('unavailable');
    expect(catcher.received).toHaveLength(1);
  });

  it('does not wait for ever for a server that says nothing, and stops when told to', async () => {
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent!.listen(0, '127.0.0.1', resolve));
    const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect(await outcome(new SmtpMail({ url, from, timeoutSeconds: 0.2 }))).toBe('unavailable');
    const stopping = new AbortController();
    const sending = new SmtpMail({ url, from }).send(message, stopping.signal);
    setTimeout(() => stopping.abort(), 50);
    await expect(sending).rejects.toMatchObject({ code: 'unavailable' });
  });
});

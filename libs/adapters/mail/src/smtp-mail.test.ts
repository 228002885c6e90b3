import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { MailRefused } from '#mail';
import { mailContract } from '#testing/mail';
import { SmtpMail } from './smtp-mail.ts';
import { SmtpCatcher, type SmtpCatcherOptions } from './testing/index.ts';

const from = 'X12 <x12@example.com>';
const message = { to: 'ada@example.com', subject: 'Hi', text: 'Hi', html: '<p>Hi</p>' };
const catchers: SmtpCatcher[] = [];
const newMail = async (options?: SmtpCatcherOptions) => {
  const catcher = await SmtpCatcher.start(options);
  catchers.push(catcher);
  return { catcher, mail: new SmtpMail({ url: catcher.url, from }) };
};
afterAll(() => Promise.all(catchers.map((catcher) => catcher.stop())));

mailContract('an SMTP server', async () => {
  const { catcher, mail } = await newMail();
  return { mail, received: async () => catcher.received };
});

describe('mail by SMTP', () => {
  const outcome = async (mail: SmtpMail, act: 'send' | 'check' = 'send') => {
    try {
      await (act === 'send' ? mail.send(message) : mail.check());
      return 'sent';
    } catch (error) {
      return error instanceof MailRefused ? 'refused' : (error as { code: string }).code;
    }
  };

  it('is sent only to the recipient of the envelope, in any script', async () => {
    const { catcher, mail } = await newMail();
    await mail.send({ ...message, subject: 'x\r\nBcc: b@example.com' });
    expect(catcher.recipients).toEqual(['ada@example.com']);
    await mail.send({ ...message, to: 'ада@почта.test' });
    expect(catcher.received[1]!.headers.to).toEqual(['ада@почта.test']);
  });

  it.each([
    [{ at: 'RCPT TO', code: 550 }, 'refused'],
    [{ at: 'RCPT TO', code: 450 }, 'unavailable'],
    [{ at: 'DATA', code: 554 }, 'refused'],
    [{ at: 'DATA', code: 451 }, 'unavailable'],
    [{ at: 'MAIL FROM', code: 550 }, 'unavailable'],
    [{ at: 'MAIL FROM', code: 421 }, 'unavailable'],
    ['accept', 'sent'],
  ] as const)('after the response %j is %s', async (verdict, expected) => {
    const { catcher, mail } = await newMail();
    catcher.verdict = verdict;
    expect(await outcome(mail)).toBe(expected);
    expect(catcher.received).toHaveLength(expected === 'sent' ? 1 : 0);
  });

  it('is unavailable while the server is down, and works again afterwards', async () => {
    const { catcher, mail } = await newMail();
    await catcher.stop();
    expect([await outcome(mail), await outcome(mail, 'check')]).toEqual(['unavailable', 'unavailable']);
    await catcher.start();
    expect([await outcome(mail), await outcome(mail, 'check')]).toEqual(['sent', 'sent']);
  });

  it('logs in with user and password, and is unavailable with wrong ones', async () => {
    const { catcher, mail } = await newMail({ user: { name: 'x12', password: 'right' } });
    expect(await outcome(mail)).toBe('sent');
    const wrong = new SmtpMail({ url: catcher.url.replace('right', 'wrong'), from });
    expect([await outcome(wrong), await outcome(wrong, 'check')]).toEqual(['unavailable', 'unavailable']);
    const nobody = new SmtpMail({ url: catcher.url.replace('x12:right@', ''), from });
    expect(await outcome(nobody)).toBe('unavailable');
    expect(catcher.received).toHaveLength(1);
  });

  it('times out for a silent server, and stops when aborted', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect(await outcome(new SmtpMail({ url, from, timeoutSeconds: 0.2 }))).toBe('unavailable');
    const sending = new SmtpMail({ url, from }).send(message, AbortSignal.timeout(50));
    await expect(sending).rejects.toMatchObject({ code: 'unavailable' });
    silent.close();
  });
});

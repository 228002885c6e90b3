import type { Settings } from '#config';
import type { Mail } from '#team';
import { Ill, type Check } from './check.ts';

export function checkMail(mail: Mail, { data, mail: { smtpUrl } }: Settings): Check {
  return {
    name: 'mail',
    run: async () => {
      try {
        await mail.check();
      } catch (error) {
        const finding = error instanceof Error ? error.message : String(error);
        const advice = smtpUrl === null ? `make ${data.mail} writable` : 'check SMTP_URL and its server';
        throw new Ill(finding, advice, { cause: error });
      }
      return smtpUrl === null ? `kept as files in ${data.mail}` : 'the mail server accepts mail';
    },
  };
}

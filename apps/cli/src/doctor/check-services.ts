import { inspectRedis, type RedisConnection } from '#adapters/redis';
import type { Settings } from '#config';
import type { Mail } from '#team';
import { Ill, type Check } from './check.ts';

export function checkRedis({ client }: RedisConnection): Check {
  return {
    name: 'redis',
    run: async () => {
      const { server, flaws } = await inspectRedis(client);
      if (flaws.length === 0) return `${server}, keeps its data`;
      throw new Ill(flaws.map(({ finding }) => finding).join('; '), flaws.map(({ advice }) => advice).join('; '));
    },
  };
}

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

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMail } from '#testing/adapters/mail';
import type { ReceivedMail } from '#testing/team';
import { eventually } from './eventually.ts';
import type { TestService } from './service.ts';

/** The mail to this address, once the service has written it to its folder. */
export function mailTo({ settings }: Pick<TestService, 'settings'>, address: string): Promise<ReceivedMail> {
  const folder = settings.data.mail;
  return eventually(async () => {
    // A message that is being written is hidden.
    const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
    const mails = await Promise.all(names.map(async (name) => parseMail(await readFile(join(folder, name)))));
    return mails.find(({ headers }) => headers.to?.includes(address));
  });
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMail } from '#testing/adapters/mail';
import type { ReceivedMail } from '#testing/mail';
import { eventually } from './eventually.ts';
import type { TestService } from './service.ts';

/** In the mails that confirm an address. Each sign-up sends one: `mailTo` finds it by this text only. */
export const CONFIRMATION = 'Please confirm that';

/**
 * The mail to this address with this text in it, once the service has written it to its folder, or sent it to the catcher
 * at `X12_MAIL_URL`.
 */
export function mailTo(service: Pick<TestService, 'settings'>, address: string, part = ''): Promise<ReceivedMail> {
  return eventually(async () =>
    (await mailsTo(service, address)).find(
      ({ text }) => text.includes(part) && (part !== '' || !text.includes(CONFIRMATION)),
    ),
  );
}

/** All mails so far whose address has this in it. */
export async function mailsTo(service: Pick<TestService, 'settings'>, address: string): Promise<ReceivedMail[]> {
  const catcher = process.env.X12_MAIL_URL;
  const mails = await (catcher ? caughtBy(catcher) : writtenTo(service.settings.data.mail));
  return mails.filter(({ headers }) => headers.to?.some((to) => to.includes(address)));
}

async function writtenTo(folder: string): Promise<ReceivedMail[]> {
  // A message that is being written is hidden.
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
  return Promise.all(names.map(async (name) => parseMail(await readFile(join(folder, name)))));
}

async function caughtBy(url: string): Promise<ReceivedMail[]> {
  const mails = (await (await fetch(`${url}/email`)).json()) as { id: string }[];
  const source = async ({ id }: { id: string }) => (await fetch(`${url}/email/${id}/download`)).arrayBuffer();
  return Promise.all(mails.map(async (mail) => parseMail(Buffer.from(await source(mail)))));
}

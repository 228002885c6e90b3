import { Module } from '@nestjs/common';
import { FileMail, SmtpMail } from '#adapters/mail';
import type { Settings } from '#config';
import type { Mail } from '#team';
import { settings } from './platform.ts';
import { token } from './provide.ts';

export const mail = token<Mail>('Mail');

/** The way out for mail: the server that the settings name, else files. */
@Module({
  providers: [{ provide: mail, useFactory: openMail, inject: [settings] }],
  exports: [mail],
})
export class MailModule {}

function openMail({ mail: { smtpUrl: url, from }, data }: Settings): Mail {
  return url === null ? new FileMail({ folder: data.mail, from }) : new SmtpMail({ url, from });
}

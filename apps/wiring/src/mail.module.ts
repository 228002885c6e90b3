import { Module } from '@nestjs/common';
import { FileMail, SmtpMail } from '#adapters/mail';
import type { Settings } from '#config';
import { InvitationMails, type AnswerPlaces, type Mail } from '#team';
import { IdentityModule, tokenSecrets } from './identity.module.ts';
import { clock, jobs, settings } from './platform.ts';
import { provide, token } from './provide.ts';
import { invitationStore, TeamModule } from './team.module.ts';

export const mail = token<Mail>('Mail');
const answerPlaces = token<AnswerPlaces>('AnswerPlaces');

/** Outgoing mail: by the server of the settings, else into files. */
@Module({
  imports: [IdentityModule, TeamModule],
  providers: [
    { provide: mail, useFactory: openMail, inject: [settings] },
    { provide: answerPlaces, useFactory: answerPlacesOf, inject: [settings] },
    provide(InvitationMails, invitationStore, mail, tokenSecrets, answerPlaces, jobs, clock),
  ],
  exports: [mail, InvitationMails],
})
export class MailModule {}

function openMail({ mail: { smtpUrl: url, from }, data }: Settings): Mail {
  return url === null ? new FileMail({ folder: data.mail, from }) : new SmtpMail({ url, from });
}

function answerPlacesOf({ http, mail }: Settings): AnswerPlaces {
  return { apiUrl: http.publicUrl, pageUrl: mail.invitationUrl };
}

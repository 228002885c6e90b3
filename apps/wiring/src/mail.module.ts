import { FileMail, SmtpMail } from '#adapters/mail';
import { RandomTokenSecrets } from '#adapters/secrets';
import type { Settings } from '#config';
import { InvitationMails, type AnswerPlaces, type Mail } from '#team';
import { clock, jobs, settings } from './platform.ts';
import { provide, provideMade, SharedModule, token } from './provide.ts';
import { invitationStore, TeamModule } from './team.module.ts';

export const mail = token<Mail>('Mail');
const answerPlaces = token<AnswerPlaces>('AnswerPlaces');

/** Outgoing mail: by the server of the settings, else into files. */
@SharedModule(
  [TeamModule],
  provideMade(mail, [settings], openMail),
  provideMade(answerPlaces, [settings], placesOf),
  provide(InvitationMails, invitationStore, mail, RandomTokenSecrets, answerPlaces, jobs, clock),
)
export class MailModule {}

function placesOf({ http, mail, console }: Settings): AnswerPlaces {
  const ownPage = console.enabled ? `${http.publicUrl}/console/invitation` : null;
  return { apiUrl: http.publicUrl, pageUrl: mail.invitationUrl ?? ownPage };
}

function openMail({ mail: { smtpUrl: url, from }, data }: Settings): Mail {
  return url === null ? new FileMail({ folder: data.mail, from }) : new SmtpMail({ url, from });
}

import { FileMail, SmtpMail } from '#adapters/mail';
import { PostgresConfirmations } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import type { Settings } from '#config';
import { AccountMails, type ConfirmationStore } from '#identity';
import type { Mail } from '#mail';
import { InvitationMails, type InvitationUrls } from '#team';
import { clock, jobs, settings } from './platform.ts';
import { provide, provideMade, SharedModule, token } from './provide.ts';
import { invitationStore, TeamModule } from './team.module.ts';

export const mail = token<Mail>('Mail');
const invitationUrls = token<InvitationUrls>('InvitationUrls');

/** Outgoing mail: by the configured server, or into files. */
@SharedModule(
  [TeamModule],
  provideMade(mail, [settings], openMail),
  provideMade(invitationUrls, [settings], urlsOf),
  provideMade(
    AccountMails,
    [PostgresConfirmations, RandomTokenSecrets, mail, jobs, clock, settings],
    (confirmations: ConfirmationStore, secrets, mail, jobs, clock, { http: { publicUrl } }) =>
      new AccountMails({ confirmations, secrets, mail, jobs, clock, publicUrl }),
  ),
  provide(InvitationMails, invitationStore, mail, RandomTokenSecrets, invitationUrls, jobs, clock),
)
export class MailModule {}

function urlsOf({ http, mail, console }: Settings): InvitationUrls {
  const ownPage = console.enabled ? `${http.publicUrl}/console/invitation` : null;
  return { api: http.publicUrl, page: mail.invitationUrl ?? ownPage };
}

function openMail({ mail: { smtpUrl: url, from }, data }: Settings): Mail {
  return url === null ? new FileMail({ folder: data.mail, from }) : new SmtpMail({ url, from });
}

import { FileMail, SmtpMail } from '#adapters/mail';
import { PostgresConfirmations, PostgresInboxMails } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import type { Settings } from '#config';
import { AccountMails, type ConfirmationStore } from '#identity';
import { Inbox, InboxMails } from '#inbox';
import type { Mail } from '#mail';
import { InvitationMails, type InvitationUrls } from '#team';
import { accountStore } from './identity.module.ts';
import { InboxModule } from './inbox.module.ts';
import { clock, jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideMade, SharedModule, token } from './provide.ts';
import { invitationStore, TeamModule } from './team.module.ts';

export const mail = token<Mail>('Mail');
const invitationUrls = token<InvitationUrls>('InvitationUrls');

/** Outgoing mail: by the configured server, or into files. */
@SharedModule(
  [InboxModule, TeamModule],
  provideMade(mail, [settings], openMail),
  provideMade(invitationUrls, [settings], urlsOf),
  provideMade(
    AccountMails,
    [accountStore, PostgresConfirmations, RandomTokenSecrets, mail, jobs, unitOfWork, clock, settings],
    (accounts, confirmations: ConfirmationStore, secrets, mail, jobs, unitOfWork, clock, { http: { publicUrl } }) =>
      new AccountMails({ accounts, confirmations, secrets, mail, jobs, unitOfWork, clock, publicUrl }),
  ),
  provideMade(
    InboxMails,
    [PostgresInboxMails, Inbox, mail, jobs, unitOfWork, clock, settings],
    (store, inbox, mail, jobs, unitOfWork, clock, { http, console }) => {
      const consoleUrl = console.enabled ? `${http.publicUrl}/console` : null;
      return new InboxMails({ store, inbox, mail, jobs, unitOfWork, clock, consoleUrl });
    },
  ),
  provide(InvitationMails, invitationStore, mail, RandomTokenSecrets, invitationUrls, jobs, clock),
)
export class MailModule {}

function urlsOf({ http, mail, console }: Settings): InvitationUrls {
  const ownPage = console.enabled ? `${http.publicUrl}/console/invitation` : null;
  return { api: http.publicUrl, page: mail.invitationUrl ?? ownPage };
}

export function openMail({ mail: { smtpUrl: url, from }, data }: Settings): Mail {
  return url === null ? new FileMail({ folder: data.mail, from }) : new SmtpMail({ url, from });
}

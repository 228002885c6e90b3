import { Database, PostgresInbox, PostgresInboxMails, PostgresInboxViews } from '#adapters/postgres';
import { Inbox, InboxNews, type InboxViews } from '#inbox';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, provideStores, SharedModule, token } from './provide.ts';

export const inboxViews = token<InboxViews>('InboxViews');

/** The inboxes of members. */
@SharedModule(
  [],
  ...provideStores(PostgresInbox, PostgresInboxMails),
  provideAs(inboxViews, PostgresInboxViews, Database),
  provide(InboxNews, PostgresInbox, jobs, clock),
  provide(Inbox, PostgresInbox, unitOfWork, clock),
)
export class InboxModule {}

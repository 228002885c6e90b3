import { sql } from 'kysely';
import type { InboxKind, InboxMailStore, Mailing } from '#inbox';
import type { Database } from '../database.ts';
import { anyOf, build, prepared, type Param } from '../prepared.ts';
import { InboxMailRow } from '../schema.ts';
import { entryOf, selectEntries } from './postgres-inbox-views.ts';

export class PostgresInboxMails implements InboxMailStore {
  constructor(private readonly database: Database) {}

  lock(mailing: Mailing): ReturnType<InboxMailStore['lock']> {
    return this.database.one(lockSeries, mailing);
  }

  async collect(mailing: Mailing, kinds: readonly InboxKind[]): ReturnType<InboxMailStore['collect']> {
    const rows = await this.database.run(selectNews, { ...mailing, kinds });
    const entries = rows.map(entryOf);
    await this.database.run(dropOthers, { ...mailing, ids: entries.map(({ id }) => id) });
    const [first] = rows;
    return first ? { email: first.email!, entries } : null;
  }

  async setSentAt(mailing: Mailing, sentAt: Date | null): Promise<void> {
    await this.database.em.nativeUpdate(InboxMailRow, { ...mailing }, { sentAt });
  }

  async finish(mailing: Mailing, entryIds: readonly number[]): Promise<boolean> {
    await this.database.run(markMailed, { ids: entryIds });
    const isAnnounced = (await this.database.one(selectOther, mailing)) !== null;
    await this.database.em.nativeUpdate(InboxMailRow, { ...mailing }, { isAnnounced });
    return isAnnounced;
  }
}

const lockSeries = prepared<Mailing>()((param) =>
  build
    .selectFrom('inbox_mails')
    .select(['sent_at as sentAt', 'is_announced as isAnnounced'])
    .where((eb) => eb.and(param.columns('workspaceId', 'userId', 'series')))
    .forUpdate(),
);

/** Entries of members. */
const selectNews = prepared<Mailing & { kinds: readonly InboxKind[] }>()((param) =>
  selectEntries(param)
    .innerJoin('users as reader', 'reader.id', 'entry.user_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.workspace_id', '=', 'entry.workspace_id')
        .onRef('memberships.user_id', '=', 'entry.user_id'),
    )
    .select('reader.email')
    .where('reader.email', 'is not', null)
    .where('entry.mail_series', '=', sql<string>`${param('series')}`)
    .where('entry.read_at', 'is', null)
    .where('entry.kind', '=', anyOf<InboxKind>(param('kinds'), 'text'))
    .orderBy('entry.id'),
);

const waitingFor = (param: Param<Mailing>) =>
  build
    .selectFrom('inbox_entries')
    .select('id')
    .where((eb) => eb.and({ ...param.columns('workspaceId', 'userId'), mail_series: sql<string>`${param('series')}` }));

/** All but those that are mailed now: what a person may not see now is not mailed later. */
const dropOthers = prepared<Mailing & { ids: readonly number[] }>()((param) =>
  build
    .updateTable('inbox_entries')
    .set({ mail_series: null })
    .where('id', 'in', waitingFor(param))
    .where(sql<boolean>`id <> all(${param('ids')}::bigint[])`),
);

const markMailed = prepared<{ ids: readonly number[] }>()((param) =>
  build
    .updateTable('inbox_entries')
    .set({ mail_series: null })
    .where('id', '=', anyOf(param('ids'))),
);

const selectOther = prepared<Mailing>()((param) => waitingFor(param).limit(1));

import { sql } from 'kysely';
import { subjectOf, type Event } from '#events';
import {
  INBOX_KINDS,
  type InboxKind,
  type InboxStore,
  type Mailing,
  type MailSettings,
  type MailTime,
  type MarkedEntries,
  type Reader,
  type Topic,
} from '#inbox';
import { latestCalls } from '../catalogue/model-uses.ts';
import type { Database } from '../database.ts';
import { anyOf, build, prepared, type Param } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { sharedMakers } from '../sharing/shared-media.ts';
import { excluded } from '../shapes.ts';

export class PostgresInbox implements InboxStore {
  constructor(private readonly database: Database) {}

  async audiences(topic: Topic, events: readonly Event[]): ReturnType<InboxStore['audiences']> {
    if (topic === 'model') return this.#users(events);
    const found = await this.database.run(AUDIENCES[topic], {
      seqs: events.map(({ seq }) => seq),
      ids: events.map((event) => Number(idsIn(event)[topic] ?? subjectOf(event).id)),
    });
    const bySeq = new Map(events.map((event) => [event.seq, event]));
    return found.map(({ seq, ...audience }) => ({ event: bySeq.get(seq)!, ...audience }));
  }

  /** The members who use models, by one read for all workspaces. */
  async #users(events: readonly Event[]): ReturnType<InboxStore['audiences']> {
    const { kysely } = this.database;
    const names = [...new Set(events.flatMap(namesIn))];
    const users = await kysely
      .selectFrom(latestCalls(kysely, names, events[0]!.createdAt).as('call'))
      .where('call.workspace_id', '=', anyOf(sql.val(events.map(({ workspaceId }) => workspaceId))))
      .select(['call.workspace_id as workspaceId', 'call.user_id as userId', 'call.name'])
      .distinct()
      .execute();
    return events.map((event) => {
      const own = users.filter((each) => each.workspaceId === event.workspaceId && namesIn(event).includes(each.name));
      return { event, actorId: null, mentioned: [], concerned: own.map(({ userId }) => userId) };
    });
  }

  async mailSettings(userIds: readonly number[]): ReturnType<InboxStore['mailSettings']> {
    const settings = new Map<number, Partial<MailSettings>>();
    for (const { userId, kind, mail } of await this.database.run(selectSettings, { userIds })) {
      settings.set(userId, { ...settings.get(userId), [kind]: mail });
    }
    return settings;
  }

  async add(entries: Parameters<InboxStore['add']>[0]): ReturnType<InboxStore['add']> {
    const rows = entries.map(({ event, userId, kind, series }) => {
      const { comment, decision } = idsIn(event);
      return {
        ...{ workspace_id: event.workspaceId, user_id: userId, event_seq: event.seq, kind },
        ...{ comment_id: comment, decision_id: decision, mail_series: series },
      };
    });
    const added = await this.database.run(insertEntries, { rows: JSON.stringify(rows) });
    const toMail = added.filter(({ series }) => series !== null);
    return toMail.length === 0 ? [] : this.database.run(announceMails, { rows: JSON.stringify(toMail) });
  }

  async markRead(reader: Reader, which: MarkedEntries, at: Date): Promise<void> {
    const values = { ...reader, at };
    await ('ids' in which
      ? this.database.run(markEntries, { ...values, ids: which.ids })
      : this.database.run(markKinds, { ...values, kinds: which.kinds }));
  }

  async saveMailSettings(userId: number, settings: Partial<MailSettings>): Promise<void> {
    const kinds = INBOX_KINDS.filter((kind) => settings[kind] !== undefined);
    await this.database.run(saveSettings, { userId, kinds, mails: kinds.map((kind) => settings[kind]!) });
  }
}

/** The comment or decision that an event is about. */
function idsIn({ type, facts }: Event): { readonly [Name in Topic]?: unknown } {
  if (type === 'decision.made') return { decision: facts['decision_id'] };
  return type.startsWith('comment.') ? { comment: facts['comment_id'] } : {};
}

/** The names by which calls know the model of an event. */
function namesIn({ subjectId, data }: Event): readonly string[] {
  return [subjectId, ...((data['aliases'] ?? []) as readonly string[])];
}

interface Given {
  readonly seqs: readonly number[];
  readonly ids: readonly number[];
}

const given = (param: Param<Given>) =>
  build
    .selectFrom(
      sql<{ seq: number; id: number }>`unnest(${param('seqs')}::bigint[], ${param('ids')}::bigint[])`.as<'given'>(
        sql`given (seq, id)`,
      ),
    )
    .select('given.seq');

const NOBODY = sql<number[]>`'{}'::bigint[]`;

/** The maker of something that the service tells of. */
const madeBy = (maker: string) =>
  [
    sql<number | null>`null::bigint`.as('actorId'),
    NOBODY.as('mentioned'),
    sql<number[]>`array[${sql.ref(maker)}]`.as('concerned'),
  ] as const;

/** Comments and decisions are locked: a deletion waits, or is waited for. */
const AUDIENCES = {
  comment: prepared<Given>()((param) =>
    given(param)
      .innerJoin('comments', 'comments.id', 'given.id')
      .innerJoin('media', 'media.id', 'comments.media_id')
      .select(['comments.created_by as actorId', 'comments.mentions as mentioned'])
      .select(({ selectFrom }) =>
        sql<number[]>`array(${selectFrom('comments as earlier')
          .select('earlier.created_by')
          .where('earlier.created_by', 'is not', null)
          .whereRef('earlier.id', '<', 'comments.id')
          .where((of) =>
            of.or([
              of('earlier.id', '=', of.ref('comments.parent_id')),
              of('earlier.parent_id', '=', of.ref('comments.parent_id')),
            ]),
          )}) || media.created_by`.as('concerned'),
      )
      .orderBy('comments.id')
      .forKeyShare('comments'),
  ),
  decision: prepared<Given>()((param) =>
    given(param)
      .innerJoin('decisions', 'decisions.id', 'given.id')
      .innerJoin('media', 'media.id', 'decisions.media_id')
      .select(['decisions.user_id as actorId', NOBODY.as('mentioned')])
      .select(sql<number[]>`array[media.created_by]`.as('concerned'))
      .orderBy('decisions.id')
      .forKeyShare('decisions'),
  ),
  summary: prepared<Given>()((param) =>
    given(param)
      .innerJoin('shares', 'shares.id', 'given.id')
      .select([sql<number | null>`null::bigint`.as('actorId'), NOBODY.as('mentioned')])
      .select(sql<number[]>`shares.created_by || coalesce(${sharedMakers}, '{}')`.as('concerned')),
  ),
  share: prepared<Given>()((param) =>
    given(param).innerJoin('shares', 'shares.id', 'given.id').select(madeBy('shares.created_by')),
  ),
  batch: prepared<Given>()((param) =>
    given(param).innerJoin('batches', 'batches.id', 'given.id').select(madeBy('batches.user_id')),
  ),
  style: prepared<Given>()((param) =>
    given(param)
      .innerJoin('generations', 'generations.style_id', 'given.id')
      .where('generations.kind', '=', 'style')
      .select(madeBy('generations.user_id')),
  ),
};

const selectSettings = prepared<{ userIds: readonly number[] }>()((param) =>
  build
    .selectFrom('inbox_settings')
    .select(['user_id as userId', 'kind', 'mail'])
    .where('user_id', '=', anyOf(param('userIds'))),
);

const saveSettings = prepared<{ userId: number; kinds: readonly InboxKind[]; mails: readonly MailTime[] }>()((param) =>
  build
    .insertInto('inbox_settings')
    .columns(['user_id', 'kind', 'mail'])
    .expression((eb) =>
      eb
        .selectFrom(
          sql<{
            kind: InboxKind;
            mail: MailTime;
          }>`unnest(${param('kinds')}::text[], ${param('mails')}::text[])`.as<'given'>(sql`given (kind, mail)`),
        )
        .select([sql<number>`${param('userId')}::bigint`.as('user_id'), 'given.kind', 'given.mail'])
        .orderBy('given.kind'),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(excluded('inbox_settings', 'mail'))),
);

/** Only for members. A person who is told of a comment again by the same kind gets no second entry. */
const insertEntries = prepared<{ rows: string }>()((param) =>
  build
    .insertInto('inbox_entries')
    .columns(['workspace_id', 'user_id', 'event_seq', 'kind', 'comment_id', 'decision_id', 'mail_series'])
    .expression((eb) =>
      eb
        .selectFrom(
          sql<Tables['inbox_entries']>`jsonb_populate_recordset(null::inbox_entries, ${param('rows')}::jsonb)`.as(
            'given',
          ),
        )
        .innerJoin('memberships', (join) =>
          join
            .onRef('memberships.workspace_id', '=', 'given.workspace_id')
            .onRef('memberships.user_id', '=', 'given.user_id'),
        )
        .innerJoin('users', 'users.id', 'given.user_id')
        .select(['given.workspace_id', 'given.user_id', 'given.event_seq', 'given.kind'])
        .select(['given.comment_id', 'given.decision_id'])
        .select(
          sql<string | null>`case when users.email is not null and not users.is_service then given.mail_series end`.as(
            'mail_series',
          ),
        )
        .orderBy('given.event_seq')
        .orderBy('given.user_id'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['workspace_id as workspaceId', 'user_id as userId', 'mail_series as series']),
);

/** One job at a time sends the mails of a series. In one order, so that two of these statements can't wait for each other. */
const announceMails = prepared<{ rows: string }>()((param) =>
  build
    .insertInto('inbox_mails')
    .columns(['workspace_id', 'user_id', 'series', 'is_announced'])
    .expression((eb) =>
      eb
        .selectFrom(
          sql<Mailing>`jsonb_to_recordset(${param('rows')}::jsonb)`.as<'given'>(
            sql`given ("workspaceId" bigint, "userId" bigint, series text)`,
          ),
        )
        .select(['given.workspaceId as workspace_id', 'given.userId as user_id', 'given.series'])
        .select(sql.lit(true).as('is_announced'))
        .distinct()
        .orderBy('given.workspaceId')
        .orderBy('given.userId')
        .orderBy('given.series'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'user_id', 'series'])
        .doUpdateSet({ is_announced: true })
        .where('inbox_mails.is_announced', '=', false),
    )
    .returning(['workspace_id as workspaceId', 'user_id as userId', 'series', 'sent_at as sentAt']),
);

const unreadOf = (param: Param<Reader & { at: Date }>) =>
  build
    .updateTable('inbox_entries')
    .set({ read_at: param('at') })
    .where((eb) => eb.and(param.columns('workspaceId', 'userId')))
    .where('read_at', 'is', null);

const markEntries = prepared<Reader & { at: Date; ids: readonly number[] }>()((param) =>
  unreadOf(param).where('id', '=', anyOf(param('ids'))),
);

const markKinds = prepared<Reader & { at: Date; kinds: readonly InboxKind[] }>()((param) =>
  unreadOf(param).where('kind', '=', anyOf<InboxKind>(param('kinds'), 'text')),
);

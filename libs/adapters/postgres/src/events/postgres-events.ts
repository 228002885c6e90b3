import { sql, type ExpressionBuilder } from 'kysely';
import {
  EVENT_TYPES,
  SUBJECT_OF,
  type Event,
  type EventData,
  type EventFilter,
  type EventPage,
  type EventStore,
  type EventType,
  type EventViews,
  type NewEvent,
  type RecordedEvent,
} from '#events';
import type { Database } from '../database.ts';
import { NOTICE } from '../notices.ts';
import { anyOf, build, prepared, type Param, type RowOf } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { added, fieldsOf } from '../shapes.ts';
import { eventNotice } from '../signals.ts';

const PUBLISHING_LOCK = 8_120_414;

const RECORDED = [
  ...fieldsOf('events', ['seq', 'id', 'workspaceId', 'type', 'subjectId', 'customer', 'facts', 'webhook', 'createdAt']),
] as const;
export const EVENT = [...RECORDED, ...fieldsOf('events', ['number', 'data'])] as const;

export class PostgresEvents implements EventStore, EventViews {
  constructor(private readonly database: Database) {}

  async record(...events: readonly NewEvent[]): Promise<void> {
    await this.database.run(insertEvents, { rows: JSON.stringify(events.map(rowOf)) });
  }

  async recordApart(event: NewEvent): Promise<void> {
    await this.database.runApart(insertEvents, { rows: JSON.stringify([rowOf(event)]) });
  }

  unpublished(limit: number): Promise<readonly RecordedEvent[]> {
    return this.database.run(selectUnpublished, { limit });
  }

  async publish(
    events: readonly { readonly seq: number; readonly data: EventData }[],
  ): Promise<readonly Event[] | null> {
    const lock = await this.database.one(tryToLock, {});
    if (!lock?.isMine) return null;
    const seqs = events.map(({ seq }) => seq);
    const published = await this.database.run(numberEvents, {
      seqs,
      data: events.map(({ data }) => JSON.stringify(data)),
    });
    return published.map(eventOf).sort((one, other) => one.seq - other.seq);
  }

  async list(
    workspaceId: number,
    { after = 0, before = Number.MAX_SAFE_INTEGER, isNewestFirst = false, limit }: EventPage,
    filter: EventFilter,
  ): Promise<readonly Event[]> {
    const { subject, customer, types = EVENT_TYPES } = filter;
    const wanted = subject ? types.filter((type) => SUBJECT_OF[type] === subject.type) : types;
    const rows = await this.database.run((isNewestFirst ? NEWEST_FIRST : OLDEST_FIRST)[kindOf(filter)], {
      ...{ workspaceId, after, before, limit },
      ...{ types: wanted, subjectId: subject?.id ?? '', customer: customer ?? '' },
    });
    return rows.map(eventOf);
  }

  async lastNumber(workspaceId: number): Promise<number> {
    return (await this.database.one(selectLast, { workspaceId }))?.last ?? 0;
  }
}

function rowOf({ facts = {}, subjectId, ...event }: NewEvent) {
  return {
    ...{ workspace_id: event.workspaceId, type: event.type, subject_id: String(subjectId), facts },
    ...{ customer: event.customer ?? null, user_id: event.userId ?? null, webhook: event.webhook ?? null },
    ...{ key: event.key ?? null, created_at: event.createdAt },
  };
}

const COLUMNS = sql.raw('workspace_id, type, subject_id, facts, user_id, webhook, key, created_at');

const OF_BOARDS = EVENT_TYPES.filter((type) => SUBJECT_OF[type] === 'board');

/** An event of a board is for the customer of the board. */
const insertEvents = prepared<{ rows: string }>()((param) => {
  const insert = sql<{ [NOTICE]: string }>`
    with recorded as (
      insert into events (${COLUMNS}, customer)
      select ${COLUMNS}, coalesce(customer, case when type in (${sql.join(OF_BOARDS.map(sql.lit))})
        then (select boards.customer from boards where boards.id = given.subject_id::bigint) end)
      from jsonb_populate_recordset(null::events, ${param('rows')}::jsonb) given
      on conflict (workspace_id, key) where key is not null do nothing
      returning seq
    )
    select ${eventNotice(sql.lit(0))} as notice from recorded limit 1`;
  return { compile: () => insert.compile(build) };
});

const selectUnpublished = prepared<{ limit: number }>()((param) =>
  build.selectFrom('events').select(RECORDED).where('number', 'is', null).orderBy('seq').limit(param('limit')),
);

/** The statement after it sees what the publisher before has committed. */
const tryToLock = prepared<object>()(() =>
  build.selectNoFrom(sql<boolean>`pg_try_advisory_xact_lock(${sql.lit(PUBLISHING_LOCK)})`.as('isMine')),
);

/** Numbers follow each other in the order in which the events of a workspace were recorded. */
const numberEvents = prepared<{ seqs: readonly number[]; data: readonly string[] }>()((param) =>
  build
    .with('waiting', (db) =>
      db
        .selectFrom('events')
        .innerJoin(
          sql<{ seq: number; data: string }>`unnest(${param('seqs')}::bigint[], ${param('data')}::text[])`.as<'given'>(
            sql`given (seq, data)`,
          ),
          'given.seq',
          'events.seq',
        )
        .where('events.number', 'is', null)
        .select(['events.seq', 'events.workspace_id', 'given.data'])
        .select(sql<number>`row_number() over (partition by events.workspace_id order by events.seq)`.as('place'))
        .select(sql<number>`count(*) over (partition by events.workspace_id)`.as('count')),
    )
    .with('counted', (db) =>
      db
        .insertInto('event_counts')
        .columns(['workspace_id', 'last'])
        .expression((eb) =>
          eb.selectFrom('waiting').select(['workspace_id', 'count as last']).distinct().orderBy('workspace_id'),
        )
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(added('event_counts', 'last')))
        .returning(['event_counts.workspace_id', 'event_counts.last']),
    )
    .with('numbered', (db) =>
      db
        .updateTable('events')
        .from('waiting')
        .innerJoin('counted', 'counted.workspace_id', 'waiting.workspace_id')
        .whereRef('events.seq', '=', 'waiting.seq')
        .set({
          number: sql<number>`counted.last - waiting.count + waiting.place`,
          data: sql<EventData>`waiting.data::json`,
        })
        .returning(EVENT),
    )
    .selectFrom('numbered')
    .selectAll()
    .select(
      sql<string | null>`case when number = max(number) over (partition by "workspaceId")
        then ${eventNotice(sql.ref('numbered.workspaceId'))} end`.as(NOTICE),
    ),
);

const selectLast = prepared<{ workspaceId: number }>()((param) =>
  build.selectFrom('event_counts').select('last').where('workspace_id', '=', param('workspaceId')),
);

interface ListValues {
  readonly workspaceId: number;
  readonly after: number;
  readonly before: number;
  readonly limit: number;
  readonly types: readonly EventType[];
  readonly subjectId: string;
  readonly customer: string;
}

const isWanted = (param: Param<ListValues>) => (eb: ExpressionBuilder<Tables, 'events'>) =>
  eb('type', '=', anyOf<EventType>(param('types'), 'text'));

/** One statement for each kind of filter, so that each has its index. */
function statementsFor(order: 'asc' | 'desc') {
  const inRange = (param: Param<ListValues>) =>
    build
      .selectFrom('events')
      .select(EVENT)
      .where('workspace_id', '=', param('workspaceId'))
      .where('number', '>', param('after'))
      .where('number', '<', param('before'))
      .orderBy('number', order)
      .limit(param('limit'));
  return {
    all: prepared<ListValues>()(inRange),
    /** Each type by itself: there may be millions of others between two events of a rare one. */
    types: prepared<ListValues>()((param) =>
      build
        .selectFrom(sql<{ type: EventType }>`unnest(${param('types')}::text[])`.as<'wanted'>(sql`wanted (type)`))
        .innerJoinLateral(
          () => inRange(param).where('events.type', '=', sql.ref<EventType>('wanted.type')).as('event'),
          (join) => join.onTrue(),
        )
        .selectAll('event')
        .orderBy('event.number', order)
        .limit(param('limit')),
    ),
    subject: prepared<ListValues>()((param) =>
      inRange(param).where('subject_id', '=', param('subjectId')).where(isWanted(param)),
    ),
    customer: prepared<ListValues>()((param) =>
      inRange(param).where('customer', '=', param('customer')).where(isWanted(param)),
    ),
    both: prepared<ListValues>()((param) =>
      inRange(param)
        .where((eb) => eb.and({ subject_id: param('subjectId'), customer: param('customer') }))
        .where(isWanted(param)),
    ),
  };
}

const OLDEST_FIRST = statementsFor('asc');
const NEWEST_FIRST = statementsFor('desc');

function kindOf({ types, subject, customer }: EventFilter): keyof typeof OLDEST_FIRST {
  if (subject) return customer === undefined ? 'subject' : 'both';
  if (customer !== undefined) return 'customer';
  return types ? 'types' : 'all';
}

type Row = RowOf<typeof OLDEST_FIRST.all>;

/** Only published events are selected: they have numbers and data. */
export function eventOf({ number, data, ...recorded }: Row): Event {
  return { ...recorded, number: number!, data: data! };
}

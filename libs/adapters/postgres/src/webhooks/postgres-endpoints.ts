import { sql, type RawBuilder } from 'kysely';
import { EVENT_TYPES, type Event } from '#events';
import {
  subjectKey,
  type Endpoint,
  type EndpointFields,
  type EndpointRun,
  type EndpointStore,
  type EventDelivery,
  type EventRange,
  type PendingDelivery,
} from '#webhooks';
import type { Database } from '../database.ts';
import { EVENT, eventOf } from '../events/postgres-events.ts';
import { anyOf, build, prepared, type Param } from '../prepared.ts';
import { WebhookEndpoint } from '../schema.ts';
import { fieldsOf, insertFrom, refs } from '../shapes.ts';
import { DELIVERY, deliveryOf } from './postgres-webhooks.ts';

const ENDPOINT = [
  ...fieldsOf('webhook_endpoints', ['id', 'workspaceId', 'url', 'types', 'description', 'isActive', 'createdAt']),
  ...fieldsOf('webhook_endpoints', ['secret', 'previous', 'rotatedAt', 'failingSince', 'lastError']),
] as const;

export class PostgresEndpoints implements EndpointStore {
  constructor(private readonly database: Database) {}

  async add(
    workspaceId: number,
    { url, types, description, isActive }: EndpointFields,
    secret: string,
    createdAt: Date,
    max: number,
  ): Promise<number | null> {
    const { kysely, em } = this.database;
    // Endpoints of a workspace are added one after the other.
    await kysely.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forNoKeyUpdate().execute();
    if ((await this.list(workspaceId)).length >= max) return null;
    return em.insert(WebhookEndpoint, { workspaceId, url, types, description, isActive, secret, createdAt });
  }

  list(workspaceId: number): Promise<readonly Endpoint[]> {
    return this.#endpoints().where('workspace_id', '=', workspaceId).orderBy('id').execute();
  }

  active(workspaceIds: readonly number[]): Promise<readonly Endpoint[]> {
    return this.database.run(selectActive, { workspaceIds });
  }

  async find(workspaceId: number, id: number): Promise<Endpoint | null> {
    const found = this.#endpoints().where((eb) => eb.and({ id, workspace_id: workspaceId }));
    return (await found.executeTakeFirst()) ?? null;
  }

  async lock(workspaceId: number, id: number): Promise<Endpoint | null> {
    const found = this.#endpoints().where((eb) => eb.and({ id, workspace_id: workspaceId }));
    return (await found.forNoKeyUpdate().executeTakeFirst()) ?? null;
  }

  async save({ id, workspaceId, createdAt, ...changed }: Endpoint): Promise<void> {
    await this.database.em.nativeUpdate(WebhookEndpoint, { id, workspaceId }, changed);
  }

  async delete(workspaceId: number, id: number): Promise<boolean> {
    return (await this.database.em.nativeDelete(WebhookEndpoint, { id, workspaceId })) === 1;
  }

  async deliver(
    deliveries: readonly { readonly endpoint: Endpoint; readonly event: Event }[],
    at: Date,
  ): Promise<void> {
    await this.database.run(insertDeliveries, {
      at,
      endpointIds: deliveries.map(({ endpoint }) => endpoint.id),
      seqs: deliveries.map(({ event }) => event.seq),
      subjects: deliveries.map(({ event }) => subjectKey(event)),
    });
  }

  async deliverAgain({ id, workspaceId, types }: Endpoint, range: EventRange, at: Date, max: number): Promise<number> {
    const { kysely } = this.database;
    const events = kysely
      .selectFrom('events')
      .select(['seq', 'type', 'subject_id as subjectId'])
      .where('workspace_id', '=', workspaceId)
      .where('number', 'is not', null)
      .where('type', 'in', [...(types ?? EVENT_TYPES)])
      .where((eb) =>
        'ids' in range
          ? eb('id', 'in', ['00000000-0000-0000-0000-000000000000', ...range.ids])
          : eb.and([eb('created_at', '>', range.after), eb('created_at', '<=', range.before)]),
      )
      .orderBy('number')
      .limit(max);
    const found = await events.execute();
    await this.database.run(insertDeliveries, {
      at,
      endpointIds: found.map(() => id),
      seqs: found.map(({ seq }) => seq),
      subjects: found.map(subjectKey),
    });
    return found.length;
  }

  startRuns(endpointIds: readonly number[]): Promise<readonly EndpointRun[]> {
    return this.database.run(startRuns, { endpointIds });
  }

  continueRun(run: EndpointRun): Promise<Endpoint | null> {
    return this.database.one(continueRun, run);
  }

  async due(endpointId: number, at: Date, except: readonly number[], limit: number): Promise<readonly EventDelivery[]> {
    const rows = await this.database.run(selectDue, { endpointId, at, except, limit });
    const found = await this.database.run(selectEvents, { seqs: rows.map(({ eventSeq }) => eventSeq!) });
    const events = new Map(found.map((event) => [event.seq, eventOf(event)]));
    return rows.map(({ eventSeq, ...row }) => {
      return { delivery: deliveryOf(row) as PendingDelivery, event: events.get(eventSeq!)! };
    });
  }

  async endRun(run: EndpointRun, at: Date): Promise<Date | null> {
    // The next statement sees what was added before the lock was granted.
    if (!(await this.database.one(lockRun, run))) return null;
    const [next] = await this.database.run(selectNext, { endpointId: run.endpointId, at });
    if (next?.isDue) return at;
    await this.database.em.nativeUpdate(WebhookEndpoint, { id: run.endpointId }, { isRunning: false });
    return next?.at ?? null;
  }

  #endpoints() {
    return this.database.kysely.selectFrom('webhook_endpoints').select(ENDPOINT);
  }
}

const selectActive = prepared<{ workspaceIds: readonly number[] }>()((param) =>
  build
    .selectFrom('webhook_endpoints')
    .select(ENDPOINT)
    .where('workspace_id', '=', anyOf(param('workspaceIds')))
    .where('is_active', '=', true),
);

/** An event is delivered to an endpoint once at a time (`webhook_deliveries_of_endpoint`). */
const insertDeliveries = prepared<{
  at: Date;
  endpointIds: readonly number[];
  seqs: readonly number[];
  subjects: readonly string[];
}>()((param) =>
  insertFrom(
    build.insertInto('webhook_deliveries'),
    (eb) =>
      eb
        .selectFrom(
          sql<{ endpoint_id: number; seq: number; subject: string }>`unnest(
            ${param('endpointIds')}::bigint[], ${param('seqs')}::bigint[], ${param('subjects')}::text[])`.as<'given'>(
            sql`given (endpoint_id, seq, subject)`,
          ),
        )
        .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'given.endpoint_id')
        .innerJoin('events', 'events.seq', 'given.seq')
        .orderBy('given.seq'),
    (row) => ({
      ...refs(row, 'given', 'endpoint_id', 'subject'),
      ...refs(row, 'endpoint', 'workspace_id', 'url'),
      event_seq: row.ref('events.seq'),
      message_id: sql<string>`events.id::text`,
      state: 'pending' as const,
      next_attempt_at: param('at'),
      created_at: row.ref('events.created_at'),
    }),
  ).onConflict((conflict) =>
    conflict
      .columns(['endpoint_id', 'event_seq'])
      .where('endpoint_id', 'is not', null)
      .doUpdateSet((eb) => ({
        state: 'pending',
        tries: 0,
        revision: eb('webhook_deliveries.revision', '+', 1),
        next_attempt_at: eb.ref('excluded.next_attempt_at'),
      })),
  ),
);

/** An endpoint has one run at a time. The lock lets the end of a run wait, which then sees what was added. */
const startRuns = prepared<{ endpointIds: readonly number[] }>()((param) =>
  build
    .with('locked', (db) =>
      db
        .selectFrom('webhook_endpoints')
        .select(['id', 'is_running'])
        .where('id', '=', anyOf(param('endpointIds')))
        .where('is_active', '=', true)
        .orderBy('id')
        .forNoKeyUpdate(),
    )
    .updateTable('webhook_endpoints')
    .from('locked')
    .whereRef('webhook_endpoints.id', '=', 'locked.id')
    .where('locked.is_running', '=', false)
    .set((eb) => ({ run: eb('run', '+', 1), is_running: true }))
    .returning(['webhook_endpoints.id as endpointId', 'webhook_endpoints.run']),
);

const runOf = (param: Param<EndpointRun>) => ({ id: param('endpointId'), run: param('run') });

const continueRun = prepared<EndpointRun>()((param) =>
  build
    .updateTable('webhook_endpoints')
    .set({ is_running: true })
    .where((eb) => eb.and({ ...runOf(param), is_active: true }))
    .returning(ENDPOINT),
);

const lockRun = prepared<EndpointRun>()((param) =>
  build
    .selectFrom('webhook_endpoints')
    .select('id')
    .where((eb) => eb.and(runOf(param)))
    .forNoKeyUpdate(),
);

const pendingOf = (endpointId: RawBuilder<number>) =>
  build.selectFrom('webhook_deliveries').where((eb) => eb.and({ endpoint_id: endpointId, state: 'pending' }));

/**
 * Nothing of a subject is delivered before the event before it has been delivered or has failed. `offset 0` keeps
 * PostgreSQL from planning a join, which reads all pending deliveries for each one when its statistics know of none.
 */
const isFirst = sql<boolean>`not exists (
  select from webhook_deliveries as earlier
  where earlier.endpoint_id = webhook_deliveries.endpoint_id and earlier.subject = webhook_deliveries.subject
    and earlier.state = 'pending' and earlier.event_seq < webhook_deliveries.event_seq offset 0)`;

interface DueValues {
  readonly endpointId: number;
  readonly at: Date;
  readonly except: readonly number[];
  readonly limit: number;
}

const selectDue = prepared<DueValues>()((param) =>
  pendingOf(param('endpointId'))
    .select(DELIVERY)
    .select('event_seq as eventSeq')
    .where('next_attempt_at', '<=', param('at'))
    .where(sql<boolean>`webhook_deliveries.id <> all(${param('except')}::bigint[])`)
    .where(isFirst)
    .orderBy('event_seq')
    .limit(param('limit')),
);

const selectEvents = prepared<{ seqs: readonly number[] }>()((param) =>
  build
    .selectFrom('events')
    .select(EVENT)
    .where('seq', '=', anyOf(param('seqs'))),
);

/** Only a delivery that was tried is due later: it is the first of its subject. */
const selectNext = prepared<{ endpointId: number; at: Date }>()((param) =>
  pendingOf(param('endpointId'))
    .where(isFirst)
    .select(['next_attempt_at as at', sql<boolean>`next_attempt_at <= ${param('at')}`.as('isDue')])
    .orderBy('next_attempt_at')
    .limit(1),
);

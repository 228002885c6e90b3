import { sql } from 'kysely';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type {
  Delivery,
  DeliveryFilter,
  DeliveryStore,
  DeliveryViews,
  NewDelivery,
  PendingDelivery,
  WebhookSecret,
  WebhookSecrets,
} from '#webhooks';
import type { Database } from '../database.ts';
import { build, pageValues, prepared, type RowOf } from '../prepared.ts';
import { WebhookDelivery } from '../schema.ts';
import { excluded, fieldsOf } from '../shapes.ts';

export const DELIVERY = [
  ...fieldsOf('webhook_deliveries', ['id', 'workspaceId', 'generationId', 'batchId', 'endpointId', 'url']),
  ...fieldsOf('webhook_deliveries', ['messageId', 'state']),
  ...fieldsOf('webhook_deliveries', ['revision', 'tries', 'attempts', 'nextAttemptAt', 'createdAt']),
] as const;

const selectPending = prepared<{ id: number; revision: number }>()((param) =>
  build
    .selectFrom('webhook_deliveries')
    .select(DELIVERY)
    .where((eb) => eb.and({ id: param('id'), revision: param('revision'), state: 'pending' })),
);

type Result = Pick<Delivery, 'id' | 'revision' | 'state' | 'tries' | 'nextAttemptAt'> & { readonly attempts: string };

const saveResult = prepared<Result>()((param) =>
  build
    .updateTable('webhook_deliveries')
    .set({ ...param.columns('state', 'tries', 'nextAttemptAt'), attempts: sql`${param('attempts')}::jsonb` })
    .where((eb) => eb.and({ ...param.columns('id', 'revision'), state: 'pending' }))
    .where('tries', '=', sql<number>`${param('tries')}::integer - 1`)
    .returning('id'),
);

type Row = RowOf<typeof selectPending>;

const COLUMN = { generationId: 'generation_id', batchId: 'batch_id', endpointId: 'endpoint_id' } as const;

export class PostgresDeliveries implements DeliveryStore, DeliveryViews {
  constructor(private readonly database: Database) {}

  async add(delivery: NewDelivery): Promise<number> {
    const pending = { ...delivery, state: 'pending', nextAttemptAt: delivery.createdAt } as const;
    return this.database.em.insert(WebhookDelivery, pending);
  }

  async pending(id: number, revision: number): Promise<PendingDelivery | null> {
    const row = await this.database.one(selectPending, { id, revision });
    const delivery = row && deliveryOf(row);
    return delivery?.state === 'pending' ? delivery : null;
  }

  async save({ attempts, ...result }: Delivery): Promise<boolean> {
    return (await this.database.one(saveResult, { ...result, attempts: JSON.stringify(attempts) })) !== null;
  }

  async restart(workspaceId: number, id: number, at: Date): Promise<Delivery | null> {
    const row = await this.database.kysely
      .updateTable('webhook_deliveries')
      .set((eb) => ({ state: 'pending', tries: 0, revision: eb('revision', '+', 1), next_attempt_at: at }))
      .where((eb) => eb.and({ id, workspace_id: workspaceId }))
      .returning(DELIVERY)
      .executeTakeFirst();
    return row ? deliveryOf(row) : null;
  }

  async list(workspaceId: number, of: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>> {
    const { before, limit } = pageValues(page);
    const name = (['generationId', 'batchId', 'endpointId'] as const).find((each) => of[each] !== undefined);
    const deliveries = this.database.kysely
      .selectFrom('webhook_deliveries')
      .select(DELIVERY)
      .where('workspace_id', '=', workspaceId)
      .where('id', '<', before)
      .$if(name !== undefined, (all) => all.where(COLUMN[name!], '=', of[name!]!))
      .orderBy('id', 'desc')
      .limit(limit!);
    const rows = await deliveries.execute();
    return pageOf(rows.map(deliveryOf), page.limit, ({ id }) => id);
  }

  async exists(workspaceId: number, id: number): Promise<boolean> {
    const deliveries = this.database.kysely.selectFrom('webhook_deliveries').select('id');
    return (await deliveries.where((eb) => eb.and({ id, workspace_id: workspaceId })).execute()).length > 0;
  }
}

export function deliveryOf({ state, nextAttemptAt, attempts: stored, ...facts }: Row): Delivery {
  const attempts = stored.map(({ at, ...attempt }) => ({ ...attempt, at: new Date(at) }));
  if (state === 'pending') return { ...facts, attempts, state, nextAttemptAt: nextAttemptAt! };
  return { ...facts, attempts, state, nextAttemptAt: null };
}

const SECRET = fieldsOf('webhook_secrets', ['secret', 'previous', 'rotatedAt']);

const selectSecret = prepared<{ workspaceId: number }>()((param) =>
  build.selectFrom('webhook_secrets').select(SECRET).where('workspace_id', '=', param('workspaceId')),
);

/** A workspace has one secret: concurrent first calls insert one, and all return it. */
const insertSecret = prepared<{ workspaceId: number; secret: string }>()((param) =>
  build
    .insertInto('webhook_secrets')
    .values(param.columns('workspaceId', 'secret'))
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet((eb) => ({ secret: eb.ref('webhook_secrets.secret') })),
    )
    .returning(SECRET),
);

export class PostgresWebhookSecrets implements WebhookSecrets {
  constructor(private readonly database: Database) {}

  async get(workspaceId: number, first: string): Promise<WebhookSecret> {
    const known = await this.database.one(selectSecret, { workspaceId });
    return known ?? (await this.database.one(insertSecret, { workspaceId, secret: first }))!;
  }

  async rotate(workspaceId: number, next: string, at: Date): Promise<WebhookSecret> {
    const rotated = this.database.kysely
      .insertInto('webhook_secrets')
      .values({ workspace_id: workspaceId, secret: next, rotated_at: at })
      .onConflict((conflict) =>
        conflict
          .column('workspace_id')
          .doUpdateSet((eb) => ({
            ...excluded('webhook_secrets', 'secret', 'rotated_at'),
            previous: eb.ref('webhook_secrets.secret'),
          })),
      );
    return rotated.returning(SECRET).executeTakeFirstOrThrow();
  }
}

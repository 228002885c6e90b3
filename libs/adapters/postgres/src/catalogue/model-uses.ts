import { sql, type Kysely } from 'kysely';
import type { ModelUsers } from '#catalogue';
import type { Database } from '../database.ts';
import type { Tables } from '../schema.ts';

/** Entries of each list that are read. */
const LISTED = 100;
const CALLER_DAYS = 30;

const total = sql<number>`count(*) over ()`.as('total');

/** Reads over all workspaces what names a model. */
export class PostgresModelUses implements ModelUsers {
  constructor(private readonly database: Database) {}

  async workspacesUsing(names: readonly string[], now: Date): Promise<readonly number[]> {
    const presets = this.#kysely.selectFrom('presets').select('workspace_id').where('model', 'in', names);
    const calls = this.#kysely.selectFrom(latestCalls(this.#kysely, names, now).as('call')).select('call.workspace_id');
    const users = await presets.union(calls).orderBy('workspace_id').execute();
    return users.map(({ workspace_id }) => workspace_id);
  }

  /**
   * References to the model, for operators.
   *
   * @param names the id and the aliases of the model
   */
  read(names: readonly string[], now: Date) {
    return Promise.all([this.#presets(names), this.#styles(names), this.#batches(names), this.#callers(names, now)]);
  }

  #presets(names: readonly string[]) {
    return this.#kysely
      .selectFrom('presets')
      .select(['id', 'name', 'workspace_id as workspaceId', 'created_by as userId', total])
      .where('model', 'in', names)
      .orderBy('id', 'desc')
      .limit(LISTED)
      .execute();
  }

  #styles(names: readonly string[]) {
    return this.#kysely
      .selectFrom('styles')
      .select(['id', 'name', 'workspace_id as workspaceId', 'persona_id as personaId', total])
      .where('model', 'in', names)
      .where('deleted_at', 'is', null)
      .orderBy('id', 'desc')
      .limit(LISTED)
      .execute();
  }

  /** Batches with open cells of the model. */
  #batches(names: readonly string[]) {
    return this.#kysely
      .selectFrom('generations as g')
      .innerJoin('batches as b', 'b.id', 'g.batch_id')
      .where('g.state', 'in', ['queued', 'running'])
      .where('g.cell', 'is not', null)
      .where(sql<string>`coalesce(g.requested_model, g.model)`, 'in', names)
      .groupBy('b.id')
      .select((eb) => ['b.id', 'b.name', 'b.workspace_id as workspaceId', eb.fn.countAll<number>().as('cells'), total])
      .orderBy('b.id', 'desc')
      .limit(LISTED)
      .execute();
  }

  #callers(names: readonly string[], now: Date) {
    return this.#kysely
      .selectFrom(latestCalls(this.#kysely, names, now).as('call'))
      .leftJoin('users', 'users.id', 'call.user_id')
      .groupBy(['call.workspace_id', 'call.user_id', 'users.email'])
      .select((eb) => [
        'call.workspace_id as workspaceId',
        'call.user_id as userId',
        'users.email',
        eb.fn.countAll<number>().as('calls'),
        eb.fn.max('call.created_at').as('lastAt'),
        total,
      ])
      .orderBy('calls', 'desc')
      .orderBy('call.user_id')
      .limit(LISTED)
      .execute();
  }

  get #kysely() {
    return this.database.kysely;
  }
}

/** The calls of the last 30 days that name one of these models. */
export function latestCalls(kysely: Kysely<Tables>, names: readonly string[], now: Date) {
  const calls = kysely
    .selectFrom('generations')
    .select(['workspace_id', 'user_id', 'created_at'])
    .select(sql<string>`coalesce(requested_model, model)`.as('name'))
    .where('created_at', '>=', new Date(now.getTime() - CALLER_DAYS * 86_400_000));
  return calls
    .where('requested_model', 'in', names)
    .unionAll(calls.where('model', 'in', names).where('requested_model', 'is', null));
}

import { sql } from 'kysely';
import type { Reconciliation } from '#files';
import type { GenerationState } from '#generation';
import type { JobName } from '#kernel';
import type { Database } from './database.ts';
import { countOf } from './shapes.ts';

/** The number of newest generations that are counted by model. */
const RECENT = 1_000;

const isDue = sql<boolean>`due_at <= now()`;
const waits = sql<boolean>`started_at is null`;

/** Reads over all workspaces, for operators. They return no content of workspaces. */
export class PostgresOperatorViews {
  constructor(private readonly database: Database) {}

  /** Counts the jobs that are not done. */
  jobs() {
    return this.database.kysely
      .selectFrom('jobs')
      .groupBy(['queue', 'name'])
      .select((eb) => [
        'queue',
        'name',
        eb.fn.countAll<number>().filterWhere(waits).filterWhere(isDue).as('waiting'),
        eb.fn.countAll<number>().filterWhere('started_at', 'is not', null).as('running'),
        eb.fn.countAll<number>().filterWhere(waits).filterWhere(eb.not(isDue)).as('delayed'),
        eb.fn.countAll<number>().filterWhere('last_error', 'is not', null).as('failing'),
        sql<Date | null>`min(due_at) filter (where ${isDue})`.as('oldest_due_at'),
      ])
      .orderBy('queue')
      .orderBy('name')
      .execute() satisfies Promise<readonly { readonly name: JobName }[]>;
  }

  /** Counts the newest 1,000 generations of all workspaces by model and state. */
  recentGenerations() {
    return this.database.kysely
      .selectFrom(
        this.database.kysely
          .selectFrom('generations')
          .select(['model', 'state'])
          .orderBy('id', 'desc')
          .limit(sql.lit(RECENT))
          .as('g'),
      )
      .groupBy(['model', 'state'])
      .select((eb) => ['model', 'state', eb.fn.countAll<number>().as('count')])
      .execute() satisfies Promise<readonly { readonly state: GenerationState }[]>;
  }

  /** Sums of the files, and the latest result of the nightly comparison. Reads every file. */
  async storage() {
    const {
      compared_at: comparedAt,
      result,
      ...sums
    } = await this.database.kysely
      .selectFrom('reconciliation')
      .crossJoin(
        this.database.kysely
          .selectFrom('files')
          .where('deletion_id', 'is', null)
          .select((eb) => [
            eb.fn.countAll<number>().as('files'),
            sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'),
            eb.fn.countAll<number>().filterWhere('expires_at', 'is not', null).as('temporary_files'),
          ])
          .as('stored'),
      )
      .select(['compared_at', 'result', 'files', 'bytes', 'temporary_files'])
      .select((eb) => [
        countOf(eb.selectFrom('discarded_objects').where(isDue)).as('objects_to_delete'),
        countOf(eb.selectFrom('uploads').where('state', 'in', ['allocated', 'frozen'])).as('unfinished_uploads'),
      ])
      .executeTakeFirstOrThrow();
    const found: Reconciliation | null = result;
    return { ...sums, comparedAt, found };
  }

  workspacesByPlan() {
    return this.database.kysely
      .selectFrom('workspaces')
      .groupBy('plan')
      .select((eb) => [
        'plan',
        eb.fn.countAll<number>().as('workspaces'),
        eb.fn.countAll<number>().filterWhere('kind', '=', 'team').as('teams'),
      ])
      .execute();
  }
}

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

  /**
   * Sums up the generations that were requested from `from` until `until` by month (UTC) and model, the newest month
   * first. Times are those of runs that succeeded, from the start to the stored outputs.
   */
  modelUsage(from: Date, until: Date) {
    const seconds = sql`extract(epoch from g.finished_at - g.started_at)`;
    const quantile = (fraction: number) =>
      sql<number | null>`percentile_cont(${sql.lit(fraction)}) within group (order by ${seconds})
        filter (where g.state = 'succeeded')`;
    const month = sql<string>`to_char(g.created_at at time zone 'UTC', 'YYYY-MM')`;
    return this.database.kysely
      .selectFrom('generations as g')
      .leftJoin('submissions as s', 's.generation_id', 'g.id')
      .where('g.created_at', '>=', from)
      .where('g.created_at', '<', until)
      .groupBy([month, 'g.model'])
      .select((eb) => [
        month.as('month'),
        'g.model',
        eb.fn.countAll<number>().as('uses'),
        eb.fn.countAll<number>().filterWhere('g.state', '=', 'succeeded').as('succeeded'),
        eb.fn.countAll<number>().filterWhere('g.state', '=', 'failed').as('failed'),
        eb.fn.countAll<number>().filterWhere('g.state', '=', 'canceled').as('canceled'),
        quantile(0.5).as('p50_seconds'),
        quantile(0.95).as('p95_seconds'),
        sql<number>`coalesce(sum(g.cost) filter (where g.state = 'succeeded'), 0)::bigint`.as('credits'),
        sql<number | null>`sum(s.vendor_cost)`.as('vendor_cost'),
        eb.fn.count<number>('s.vendor_cost').as('vendor_costs'),
      ])
      .orderBy(month, 'desc')
      .orderBy('g.model')
      .execute();
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

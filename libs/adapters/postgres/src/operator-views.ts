import { sql } from 'kysely';
import type { Reconciliation } from '#files';
import type { GenerationState } from '#generation';
import type { JobName } from '#kernel';
import type { Database } from './database.ts';
import { build, prepared } from './prepared.ts';
import { countOf } from './shapes.ts';

/** How many of the newest generations are counted by model. */
const RECENT = 1_000;

const isDue = sql<boolean>`due_at <= now()`;
const waits = sql<boolean>`started_at is null`;

const countJobs = prepared<object>()(() =>
  build
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
    .orderBy('name'),
);

const recentGenerations = prepared<object>()(() =>
  build
    .selectFrom(
      build.selectFrom('generations').select(['model', 'state']).orderBy('id', 'desc').limit(sql.lit(RECENT)).as('g'),
    )
    .groupBy(['model', 'state'])
    .select((eb) => ['model', 'state', eb.fn.countAll<number>().as('count')]),
);

const readStorage = prepared<object>()(() =>
  build
    .selectFrom('reconciliation')
    .crossJoin(
      build
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
    ]),
);

const countWorkspaces = prepared<object>()(() =>
  build
    .selectFrom('workspaces')
    .groupBy('plan')
    .select((eb) => [
      'plan',
      eb.fn.countAll<number>().as('workspaces'),
      eb.fn.countAll<number>().filterWhere('kind', '=', 'team').as('teams'),
    ]),
);

/** Reads over all workspaces, for operators. None shows what a workspace has made. */
export class PostgresOperatorViews {
  constructor(private readonly database: Database) {}

  /** The jobs that are not done. */
  jobs() {
    return this.database.run(countJobs, {}) satisfies Promise<readonly { readonly name: JobName }[]>;
  }

  /** How many of the newest 1,000 generations of all workspaces are in each state, by model. */
  recentGenerations() {
    return this.database.run(recentGenerations, {}) satisfies Promise<readonly { readonly state: GenerationState }[]>;
  }

  /** Sums of the files, and what the nightly comparison found last; counts every file. */
  async storage() {
    const { compared_at: comparedAt, result, ...sums } = (await this.database.one(readStorage, {}))!;
    const found: Reconciliation | null = result;
    return { ...sums, comparedAt, found };
  }

  workspacesByPlan() {
    return this.database.run(countWorkspaces, {});
  }
}

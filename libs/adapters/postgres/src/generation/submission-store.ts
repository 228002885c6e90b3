import { sql, type RawBuilder } from 'kysely';
import type {
  CancelingSubmission,
  CheckRecord,
  Failure,
  GenerationToFinish,
  IntendedSubmission,
  LeaseTimes,
  EndedSubmission,
  SubmittedSubmission,
  RefusalCode,
  Running,
  Submission,
  SubmissionState,
  SubmissionStore,
  Unfetched,
  UnknownSubmission,
  VendorHandle,
  VendorOutput,
} from '#generation';
import { noTracing, type Tracing } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared, type Param } from '../prepared.ts';
import { Submission as SubmissionTable } from '../schema.ts';
import { excluded, insertFrom } from '../shapes.ts';
import { violates } from '../translate-database-error.ts';
import { NOTICE } from '../notices.ts';
import { CHANGED, generationNotice } from '../signals.ts';
import { INTENDED, selectSubmissions, SUBMISSION, toSubmitted, toSubmission } from './submission-rows.ts';

const selectSubmission = prepared<{ generationId: number }>()((param) =>
  selectSubmissions.where('generation_id', '=', param('generationId')),
);

interface Intention extends Omit<IntendedSubmission, 'deadline'> {
  readonly giveUpAt: Date;
  readonly attempt: number;
  readonly replacedState: SubmissionState | null;
  readonly replacedKey: string | null;
  readonly traceparent: string | null;
}

/**
 * A generation has one submission, recorded by its current run. A new submission replaces the expected one only. The
 * share lock orders this statement and the end of the generation, which must see the submission.
 */
const intendSubmission = prepared<Intention>()((param) =>
  insertFrom(
    build.insertInto('submissions'),
    (eb) =>
      eb
        .selectFrom('generations')
        .where((eb) => eb.and({ id: param('generationId'), attempt: param('attempt'), state: 'running' }))
        .forShare(),
    () => param.columns(...INTENDED, 'attempt', 'traceparent'),
  )
    .onConflict((conflict) =>
      conflict
        .column('generation_id')
        .doUpdateSet({
          ...excluded('submissions', 'request_key', 'provider', 'attempt', 'state', 'number', 'pictures'),
          ...excluded('submissions', 'intended_at', 'traceparent'),
          ...{ handle: null, outputs: null, failure: null, submitted_at: null, next_check_at: null, checks: 0 },
          ...{ doubtful_since: null, refusal: null },
        })
        .where('submissions.state', '=', param('replacedState'))
        .where('submissions.request_key', '=', param('replacedKey')),
    )
    .returning('generation_id'),
);

/**
 * A vendor's job belongs to one submission (`submissions_handle`). A webhook that was received before makes the check
 * due at once.
 */
const recordHandle = prepared<{ requestKey: string; handle: VendorHandle; at: Date; nextCheckAt: Date }>()((param) =>
  build
    .updateTable('submissions')
    .set({
      state: sql<SubmissionState>`case when state = 'canceling' then state else 'submitted' end`,
      handle: param('handle'),
      submitted_at: param('at'),
      next_check_at: sql<Date | null>`
        case when state <> 'canceling' then least(next_check_at, ${param('nextCheckAt')}) end`,
    })
    .where('request_key', '=', param('requestKey'))
    .where('state', 'in', ['intended', 'unknown', 'canceling'])
    .where('handle', 'is', null)
    .returning('state'),
);

interface Lease extends Omit<LeaseTimes, 'step'> {
  readonly limit: number;
  readonly steppedTo: Date;
  readonly stepSeconds: number;
}

const leaseOf = ({ step, ...times }: LeaseTimes, limit: number): Lease => ({
  ...times,
  limit,
  steppedTo: step.to,
  stepSeconds: step.seconds,
});

const selectSubmitted = (param: Param<Lease>) =>
  build
    .selectFrom('submissions')
    .select('generation_id')
    .where('state', '=', 'submitted')
    .orderBy('next_check_at')
    .limit(param('limit'))
    .forUpdate()
    .skipLocked();

type SubmittedRows = ReturnType<typeof selectSubmitted>;

/** Leases the due submissions of `only`, and those scheduled by a wrong clock. */
const take = (param: Param<Lease>, only: (submitted: SubmittedRows) => SubmittedRows) =>
  build
    .with('due', () => only(selectSubmitted(param)).where('next_check_at', '<=', param('now')))
    .with('misdated', () => only(selectSubmitted(param)).where('next_check_at', '>', param('latest')))
    .with('taken', (db) =>
      db.selectFrom('due').select('generation_id').unionAll(db.selectFrom('misdated').select('generation_id')),
    )
    .updateTable('submissions')
    .from('taken')
    .set((eb) => ({
      checks: eb('checks', '+', 1),
      next_check_at: param('until'),
      give_up_at: sql<Date>`case when next_check_at < ${param('steppedTo')}::timestamptz
        then give_up_at + ${param('stepSeconds')}::double precision * interval '1 second' else give_up_at end`,
    }))
    .whereRef('submissions.generation_id', '=', 'taken.generation_id')
    .returning(SUBMISSION);

const leaseDue = prepared<Lease & { provider: string }>()((param) =>
  take(param, (submitted) => submitted.where('provider', '=', param('provider'))),
);

const leaseAbandoned = prepared<Lease & { providers: readonly string[] }>()((param) =>
  take(param, (submitted) =>
    submitted.where('give_up_at', '<=', param('now')).where(sql<boolean>`provider <> all(${param('providers')})`),
  ),
);

interface Result {
  readonly generationId: number;
  readonly requestKey: string;
  readonly checks: number;
  readonly progress: number | null;
  readonly nextCheckAt: Date;
  readonly giveUpAt: Date;
  readonly doubtfulSince: Date | null;
  readonly state: SubmissionState;
  readonly outputs: readonly VendorOutput[] | null;
  readonly failure: Failure | null;
  readonly cost: number | null;
}

const resultRows = (json: RawBuilder<string>) =>
  sql<Result>`jsonb_to_recordset(${json}::jsonb)`.as<'result'>(sql`result (
    "generationId" bigint, "requestKey" uuid, checks integer, progress double precision, "nextCheckAt" timestamptz,
    "giveUpAt" timestamptz, "doubtfulSince" timestamptz, state text, outputs jsonb, failure jsonb, cost double precision)`);

/**
 * Rows are locked in the order of their ids, so that two of these statements can't deadlock. The end of a generation
 * locks the generation first and its submission next, so this statement must not wait for a generation.
 */
const recordChecks = prepared<{ results: string }>()((param) =>
  build
    .with('checked', (db) =>
      db
        .selectFrom('submissions')
        .innerJoin(resultRows(param('results')), (join) =>
          join
            .onRef('result.generationId', '=', 'submissions.generation_id')
            .onRef('result.requestKey', '=', 'submissions.request_key')
            .onRef('result.checks', '=', 'submissions.checks'),
        )
        .where('submissions.state', '=', 'submitted')
        .orderBy('submissions.generation_id')
        .forNoKeyUpdate('submissions')
        .selectAll('result'),
    )
    .with('recorded', (db) =>
      db
        .updateTable('submissions')
        .from('checked')
        .set((eb) => ({
          state: eb.ref('checked.state'),
          next_check_at: sql<Date | null>`case when checked.state = 'submitted' then checked."nextCheckAt" end`,
          give_up_at: eb.ref('checked.giveUpAt'),
          doubtful_since: eb.ref('checked.doubtfulSince'),
          outputs: eb.ref('checked.outputs'),
          failure: eb.ref('checked.failure'),
          vendor_cost: eb.ref('checked.cost'),
        }))
        .whereRef('submissions.generation_id', '=', 'checked.generationId')
        .returning(['submissions.generation_id', 'submissions.state', 'submissions.traceparent', 'checked.progress']),
    )
    .with('ahead', (db) =>
      db
        .selectFrom('generations')
        .innerJoin('recorded', 'recorded.generation_id', 'generations.id')
        .select(['generations.id', 'recorded.progress'])
        .where('generations.state', '=', 'running')
        .whereRef('recorded.progress', '>', 'generations.progress')
        .forNoKeyUpdate('generations')
        .skipLocked(),
    )
    .with('changed', (db) =>
      db
        .updateTable('generations')
        .from('ahead')
        .set((eb) => ({ progress: sql<number>`${eb.ref('ahead.progress')}` }))
        .whereRef('generations.id', '=', 'ahead.id')
        .returning(CHANGED),
    )
    .selectFrom('recorded')
    .innerJoin('generations', 'generations.id', 'recorded.generation_id')
    .leftJoin('changed', 'changed.id', 'recorded.generation_id')
    .select(['recorded.generation_id as generationId', 'recorded.state', 'recorded.traceparent', 'generations.attempt'])
    .select(['generations.workspace_id as workspaceId', 'generations.batch_id as batchId'])
    .select(sql<string | null>`case when changed.id is not null then ${generationNotice} end`.as(NOTICE)),
);

const bringForward = prepared<{ requestKey: string; now: Date }>()((param) =>
  build
    .updateTable('submissions')
    .set({ next_check_at: sql<Date>`least(next_check_at, ${param('now')})` })
    .where('request_key', '=', param('requestKey'))
    .where('state', 'in', ['intended', 'unknown', 'submitted'])
    .returning('generation_id'),
);

const countUnfetched = prepared<{ workspaceId: number; now: Date }>()((param) =>
  build
    .selectFrom('jobs')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.countAll<number>().filterWhere('workspace_id', '=', param('workspaceId')).as('ofWorkspace'),
    ])
    .where('queue', '=', 'outputs')
    .where('due_at', '<=', param('now')),
);

/**
 * The end of a generation closes its submission, or marks it as canceling when its job may still run at the provider.
 */
const endSubmission = prepared<{ generationId: number; isSucceeded: boolean }>()((param) =>
  build
    .updateTable('submissions')
    .set({
      state: sql<SubmissionState>`case
        when not ${param('isSucceeded')}::boolean
          and (state in ('intended', 'unknown', 'submitted') or failure ->> 'code' in ('timed_out', 'provider_misconfigured'))
        then 'canceling' else 'closed' end`,
      next_check_at: null,
    })
    .where('generation_id', '=', param('generationId'))
    .where('state', 'not in', ['canceling', 'closed'])
    .returning('state'),
);

/** @returns whether the job is to be canceled at its provider */
export async function endSubmissionOf(
  database: Database,
  generationId: number,
  isSucceeded: boolean,
): Promise<boolean> {
  return (await database.one(endSubmission, { generationId, isSucceeded }))?.state === 'canceling';
}

export class PostgresSubmissions implements SubmissionStore {
  constructor(
    private readonly database: Database,
    private readonly tracing: Pick<Tracing, 'current'> = noTracing,
  ) {}

  async get(generationId: number): Promise<Submission | null> {
    const row = await this.database.one(selectSubmission, { generationId });
    return row && toSubmission(row);
  }

  intend(
    { attempt }: Running,
    { deadline, ...intended }: IntendedSubmission,
    replaced: EndedSubmission | UnknownSubmission | null,
  ): Promise<boolean> {
    const before = { replacedState: replaced?.state ?? null, replacedKey: replaced?.requestKey ?? null };
    const traceparent = this.tracing.current() ?? null;
    return this.database.any(intendSubmission, { ...intended, giveUpAt: deadline, attempt, traceparent, ...before });
  }

  async remove({ attempt }: Running, { requestKey }: IntendedSubmission): Promise<void> {
    await this.database.em.nativeDelete(SubmissionTable, { requestKey, attempt, state: 'intended' });
  }

  async markUnknown(
    { attempt }: Running,
    { requestKey }: IntendedSubmission,
    refusal: RefusalCode | null,
  ): Promise<void> {
    const intended = { requestKey, attempt: { $lte: attempt }, state: 'intended' } as const;
    await this.database.em.nativeUpdate(SubmissionTable, intended, { state: 'unknown', attempt, refusal });
  }

  async submit({ requestKey }: Submission, handle: VendorHandle, at: Date, nextCheckAt: Date) {
    try {
      const row = await this.database.one(recordHandle, { requestKey, handle, at, nextCheckAt });
      return row && (row.state === 'canceling' ? 'canceling' : 'submitted');
    } catch (error) {
      if (violates(error, 'submissions_handle')) return 'taken';
      throw error;
    }
  }

  async lease(provider: string, times: LeaseTimes, limit: number): Promise<readonly SubmittedSubmission[]> {
    return (await this.database.run(leaseDue, { provider, ...leaseOf(times, limit) })).map(toSubmitted);
  }

  async leaseAbandoned(providers: readonly string[], times: LeaseTimes, limit: number) {
    return (await this.database.run(leaseAbandoned, { providers, ...leaseOf(times, limit) })).map(toSubmitted);
  }

  async record(checks: readonly CheckRecord[]): Promise<readonly GenerationToFinish[]> {
    const rows = await this.database.run(recordChecks, { results: JSON.stringify(checks.map(toResult)) });
    return rows.filter(({ state }) => state === 'ended');
  }

  checkNow(requestKey: string, now: Date): Promise<boolean> {
    return this.database.any(bringForward, { requestKey, now });
  }

  async unfetched(workspaceId: number, now: Date): Promise<Unfetched> {
    return (await this.database.one(countUnfetched, { workspaceId, now }))!;
  }

  async close({ requestKey }: CancelingSubmission): Promise<void> {
    await this.database.em.nativeUpdate(SubmissionTable, { requestKey, state: 'canceling' }, { state: 'closed' });
  }
}

function toResult({ submission, progress, nextCheckAt, deadline, inconclusiveSince, result }: CheckRecord): Result {
  const { generationId, requestKey, checks } = submission;
  const state = result ? 'ended' : 'submitted';
  const nothing = { outputs: null, cost: null, failure: null };
  const times = { nextCheckAt, giveUpAt: deadline, doubtfulSince: inconclusiveSince };
  return { generationId, requestKey, checks, progress, ...times, state, ...nothing, ...result };
}

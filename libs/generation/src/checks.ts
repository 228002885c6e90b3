import { forEach, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { ClockSteps } from './domain/clock-steps.ts';
import {
  after,
  isTimedOut,
  nextCheckAt,
  nextCheckSeconds,
  recheckInconclusive,
  type Failure,
  type SubmissionResult,
  type SubmittedSubmission,
} from './domain/submission.ts';
import {
  ProviderFailure,
  type CheckRecord,
  type LeaseTimes,
  type RemoteProvider,
  type RemoteProviders,
  type SubmissionStore,
  type VendorState,
} from './ports.ts';
import { withResponseLimit, type SubmissionReport, type SubmissionReporter, type VendorWebhooks } from './remote.ts';

interface Collaborators {
  readonly submissions: Pick<SubmissionStore, 'lease' | 'leaseAbandoned' | 'record'>;
  readonly remotes: RemoteProviders;
  readonly webhooks: Pick<VendorWebhooks, 'isPublic'>;
  readonly jobs: Jobs;
  readonly unitOfWork: UnitOfWork;
  readonly report: SubmissionReporter;
  readonly clock: Clock;
  /** Seconds that the process has run, by a clock that never steps. */
  readonly uptime: () => number;
}

const GROUP_SIZE = 200;
/** Concurrent checks at one provider. */
const CONCURRENCY = 16;
/** Checks of a group that have not started by then are left to the next lease. */
const START_WITHIN_SECONDS = 30;
/** No check is scheduled further ahead than this. */
const LEASE_SECONDS = 60;
/** How far the clocks of workers may differ. */
const CLOCK_SKEW_SECONDS = 15;
/** How often results are recorded while other checks of the group are running. */
const RECORD_EVERY_MS = 500;

/** Status checks of submissions. Leases keep two workers from checking the same submission. */
export class SubmissionChecks {
  readonly #steps = new ClockSteps();

  constructor(private readonly deps: Collaborators) {}

  /** The ids of the providers. */
  get providers(): readonly string[] {
    return [...this.deps.remotes.keys()];
  }

  /**
   * Checks all submissions of a provider that are due.
   *
   * @param signal when aborted, no further check starts
   * @returns the number of submissions leased
   */
  async check(providerId: string, signal: AbortSignal): Promise<number> {
    const provider = this.deps.remotes.get(providerId);
    if (!provider) return 0;
    let total = 0;
    for (let due = GROUP_SIZE; due >= GROUP_SIZE && !signal.aborted; total += due) {
      const leased = await this.deps.submissions.lease(provider.id, this.#lease(this.deps.clock.now()), GROUP_SIZE);
      due = leased.length;
      if (due > 0) await this.#checkAll(provider, leased, signal);
    }
    return total;
  }

  /**
   * Times out submissions past their deadline whose provider was removed from the catalogue.
   *
   * @returns their number
   */
  async expireAbandoned(): Promise<number> {
    const now = this.deps.clock.now();
    const abandoned = await this.deps.submissions.leaseAbandoned(this.providers, this.#lease(now), GROUP_SIZE);
    // The deadlines of some have moved.
    const late = abandoned.filter((each) => isTimedOut(each, now));
    if (late.length > 0) await this.#record(late.map((each) => recordOf(each, now, 0, TIMED_OUT)));
    return late.length;
  }

  #lease(now: Date): LeaseTimes {
    const latest = after(now, LEASE_SECONDS + CLOCK_SKEW_SECONDS);
    return { now, until: after(now, LEASE_SECONDS), latest, step: this.#steps.observe(now, this.deps.uptime()) };
  }

  /** Records results as they arrive, so that a slow check does not delay the others. */
  async #checkAll(
    provider: RemoteProvider,
    leased: readonly SubmittedSubmission[],
    signal: AbortSignal,
  ): Promise<void> {
    const results: Checked[] = [];
    const { clock } = this.deps;
    const startUntil = after(clock.now(), START_WITHIN_SECONDS);
    let isChecking = true;
    const checking = forEach(leased, CONCURRENCY, async (submission) => {
      if (signal.aborted || clock.now() >= startUntil) return;
      const result = await this.#check(provider, submission, signal);
      if (!signal.aborted) results.push(result);
    }).finally(() => (isChecking = false));
    while (isChecking) {
      await Promise.race([checking, pause(RECORD_EVERY_MS)]);
      if (results.length > 0) await this.#record(results.splice(0));
    }
    await checking;
  }

  async #check(provider: RemoteProvider, submission: SubmittedSubmission, signal: AbortSignal): Promise<Checked> {
    const hasWebhooks = provider.hasWebhooks && this.deps.webhooks.isPublic;
    const nextSeconds = nextCheckSeconds(submission.checks, hasWebhooks);
    // No error of a check ends the submission before its time: a refused key may be mended.
    let refused: ProviderFailure | null = null;
    const state = await provider.check(submission.handle, withResponseLimit(signal)).catch((error: unknown) => {
      if (isMisconfigured(error)) refused = error;
      return null;
    });
    const now = this.deps.clock.now();
    if (state?.state === 'inconclusive') return inconclusive(submission, state.failure, now);
    const result = (state && resultOf(state)) ?? (isTimedOut(submission, now) ? timedOut(refused) : null);
    if (!state) {
      const { inconclusiveSince } = submission;
      return { ...recordOf(submission, now, nextSeconds, result), inconclusiveSince, error: refused ?? undefined };
    }
    if (state.state !== 'pending') {
      const error = state.state === 'failed' ? state.failure : undefined;
      const record = recordOf(submission, now, nextSeconds, result);
      if (state.state !== 'ended') return { ...record, error };
      return { ...record, deadline: after(now, provider.keepsOutputsSeconds) };
    }
    const { progress, checkAfterSeconds } = state;
    const seconds = nextCheckSeconds(submission.checks, hasWebhooks, checkAfterSeconds);
    return { ...recordOf(submission, now, seconds, result), progress };
  }

  /** Schedules a job for each generation whose submission has ended. */
  async #record(checks: readonly Checked[]): Promise<void> {
    const { submissions, jobs, unitOfWork } = this.deps;
    if (!checks.some(({ result }) => result)) return void (await submissions.record(checks));
    const finished = await unitOfWork.run(async () => {
      const toFinish = await submissions.record(checks);
      for (const { generationId, workspaceId, batchId, attempt, traceparent } of toFinish) {
        const payload = { generationId, after: attempt };
        const traced = traceparent === null ? {} : { traceparent };
        await jobs.announce({ name: 'generation.finish', payload, workspaceId }, { batchId, ...traced });
      }
      return new Set(toFinish.map(({ generationId }) => generationId));
    });
    for (const check of checks) {
      if (check.result && finished.has(check.submission.generationId)) this.deps.report(reportOf(check, check.result));
    }
  }
}

/** `error` is for the operator. */
type Checked = CheckRecord & { readonly error?: unknown };

const TIMED_OUT: { readonly failure: Failure } = {
  failure: { code: 'timed_out', message: 'the provider took too long', retryable: false },
};

/** `null` while the job is pending. */
function resultOf(state: Exclude<VendorState, { state: 'inconclusive' }>): SubmissionResult | null {
  switch (state.state) {
    case 'pending':
      return null;
    case 'ended':
      return { outputs: state.outputs, cost: state.cost };
    case 'failed':
      return failedWith(state.failure);
    case 'canceled':
      return { failure: { code: 'provider_unavailable', message: 'the provider has canceled it', retryable: false } };
  }
}

function isMisconfigured(error: unknown): error is ProviderFailure {
  return error instanceof ProviderFailure && error.code === 'provider_misconfigured';
}

function timedOut(refused: ProviderFailure | null): SubmissionResult {
  return refused ? failedWith(refused) : TIMED_OUT;
}

function failedWith({ code, message, retryable }: ProviderFailure): SubmissionResult {
  return { failure: { code, message, retryable } };
}

function inconclusive(submission: SubmittedSubmission, failure: ProviderFailure, now: Date): Checked {
  const { since, isFinal, checkAfterSeconds } = recheckInconclusive(submission, now);
  if (isFinal) return { ...recordOf(submission, now, 0, failedWith(failure)), error: failure };
  const record = recordOf(submission, now, checkAfterSeconds, isTimedOut(submission, now) ? TIMED_OUT : null);
  return { ...record, inconclusiveSince: since };
}

function recordOf(
  submission: SubmittedSubmission,
  now: Date,
  nextSeconds: number,
  result: SubmissionResult | null,
): CheckRecord {
  const { deadline } = submission;
  const next = nextCheckAt(submission, nextSeconds, now);
  return { submission, progress: null, nextCheckAt: next, deadline, inconclusiveSince: null, result };
}

function reportOf({ submission, error }: Checked, result: SubmissionResult): SubmissionReport {
  if (!('failure' in result)) return { submission, outcome: 'ended' };
  return { submission, outcome: result === TIMED_OUT ? 'timed_out' : 'failed', error };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

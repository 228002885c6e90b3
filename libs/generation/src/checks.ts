import { forEach, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import {
  after,
  doubt,
  fetchUntil,
  isTimedOut,
  nextCheckAt,
  nextCheckSeconds,
  type Failure,
  type Pending,
  type SubmissionResult,
} from './domain/submission.ts';
import type {
  CheckRecord,
  LeaseTimes,
  ProviderFailure,
  RemoteProvider,
  SubmissionStore,
  VendorState,
} from './ports.ts';
import { answerWithin, type SubmissionReport, type SubmissionReporter, type VendorWebhooks } from './remote.ts';

interface Collaborators {
  readonly submissions: Pick<SubmissionStore, 'lease' | 'leaseAbandoned' | 'record'>;
  readonly remotes: readonly RemoteProvider[];
  readonly webhooks: Pick<VendorWebhooks, 'isPublic'>;
  readonly jobs: Jobs;
  readonly unitOfWork: UnitOfWork;
  readonly report: SubmissionReporter;
  readonly clock: Clock;
}

const BATCH = 200;
/** Questions to one provider at a time. */
const CONCURRENT = 16;
/** When a lease begins to run out: what was not asked by then is left to the next one. */
const ASK_WITHIN_SECONDS = 30;
/** No check is later, nor is its lease. */
const LEASE_SECONDS = 60;
/** How far the clocks of workers may differ. */
const CLOCK_DIFFERENCE_SECONDS = 15;
/** How often results are recorded while other questions are still open. */
const RECORD_EVERY_MS = 500;

/** Checks of what providers have been asked to do. Each takes only what no other one has taken. */
export class SubmissionChecks {
  constructor(private readonly to: Collaborators) {}

  /** The ids of the providers. */
  get providers(): readonly string[] {
    return this.to.remotes.map(({ id }) => id);
  }

  /**
   * Asks a provider for all that is due.
   *
   * @param signal when aborted, nothing more is asked
   * @returns how many
   */
  async check(providerId: string, signal: AbortSignal): Promise<number> {
    const provider = this.to.remotes.find(({ id }) => id === providerId);
    if (!provider) return 0;
    let all = 0;
    for (let due = BATCH; due >= BATCH && !signal.aborted; all += due) {
      const leased = await this.to.submissions.lease(provider.id, leaseAt(this.to.clock.now()), BATCH);
      due = leased.length;
      if (due > 0) await this.#checkAll(provider, leased, signal);
    }
    return all;
  }

  /**
   * Gives up, once their time is over, those whose provider was taken out of the catalogue.
   *
   * @returns how many
   */
  async giveUpAbandoned(): Promise<number> {
    const now = this.to.clock.now();
    const abandoned = await this.to.submissions.leaseAbandoned(this.providers, leaseAt(now), BATCH);
    if (abandoned.length > 0) await this.#record(abandoned.map((pending) => recordOf(pending, now, 0, TIMED_OUT)));
    return abandoned.length;
  }

  /** Records results as they come: one slow answer delays no other. */
  async #checkAll(provider: RemoteProvider, leased: readonly Pending[], signal: AbortSignal): Promise<void> {
    const results: Checked[] = [];
    const { clock } = this.to;
    const askUntil = after(clock.now(), ASK_WITHIN_SECONDS);
    let isAsking = true;
    const asking = forEach(leased, CONCURRENT, async (pending) => {
      if (signal.aborted || clock.now() >= askUntil) return;
      const result = await this.#ask(provider, pending, signal);
      if (!signal.aborted) results.push(result);
    }).finally(() => (isAsking = false));
    while (isAsking) {
      await Promise.race([asking, pause(RECORD_EVERY_MS)]);
      if (results.length > 0) await this.#record(results.splice(0));
    }
    await asking;
  }

  async #ask(provider: RemoteProvider, pending: Pending, signal: AbortSignal): Promise<Checked> {
    const hasWebhooks = provider.hasWebhooks && this.to.webhooks.isPublic;
    const nextSeconds = nextCheckSeconds(pending.checks, hasWebhooks);
    const state = await provider
      .check(pending.handle, answerWithin(signal))
      // Whatever it is, the provider has not said that it has ended.
      .catch((error: unknown) => error);
    const now = this.to.clock.now();
    const answer = isState(state) ? state : null;
    if (answer?.state === 'doubtful') return doubted(pending, answer.failure, now);
    const result = (answer && resultOf(answer)) ?? (isTimedOut(pending, now) ? TIMED_OUT : null);
    const error = answer?.state === 'failed' ? answer.failure : undefined;
    if (!answer) return { ...recordOf(pending, now, nextSeconds, result), doubtfulSince: pending.doubtfulSince };
    if (answer.state !== 'pending') return { ...recordOf(pending, now, nextSeconds, result), error };
    const { progress, checkAfterSeconds } = answer;
    const seconds = nextCheckSeconds(pending.checks, hasWebhooks, checkAfterSeconds);
    return { ...recordOf(pending, now, seconds, result), progress };
  }

  /** A job goes on with each that has ended. */
  async #record(checks: readonly Checked[]): Promise<void> {
    const { submissions, jobs, unitOfWork } = this.to;
    const isOver = checks.some(({ result }) => result);
    if (!isOver) return void (await submissions.record(checks));
    const ended = await unitOfWork.run(async () => {
      const over = await submissions.record(checks);
      for (const { generationId, workspaceId, attempt, traceparent } of over) {
        const payload = { generationId, after: attempt };
        await jobs.announce(
          { name: 'generation.finish', payload, workspaceId },
          traceparent === null ? {} : { traceparent },
        );
      }
      return new Set(over.map(({ generationId }) => generationId));
    });
    for (const check of checks) {
      if (check.result && ended.has(check.pending.generationId)) this.to.report(reportOf(check, check.result));
    }
  }
}

function leaseAt(now: Date): LeaseTimes {
  return { now, until: after(now, LEASE_SECONDS), latest: after(now, LEASE_SECONDS + CLOCK_DIFFERENCE_SECONDS) };
}

/** With what the operator needs of a failure. */
type Checked = CheckRecord & { readonly error?: unknown };

const TIMED_OUT: { readonly failure: Failure } = {
  failure: { code: 'timed_out', message: 'the provider took too long', retryable: false },
};

/** `null` while it is pending. */
function resultOf(answer: Exclude<VendorState, { state: 'doubtful' }>): SubmissionResult | null {
  switch (answer.state) {
    case 'pending':
      return null;
    case 'ended':
      return { outputs: answer.outputs, cost: answer.cost };
    case 'failed':
      return failedWith(answer.failure);
    case 'canceled':
      return { failure: { code: 'provider_unavailable', message: 'the provider has canceled it', retryable: false } };
  }
}

function failedWith({ code, message, retryable }: ProviderFailure): SubmissionResult {
  return { failure: { code, message, retryable } };
}

function doubted(pending: Pending, failure: ProviderFailure, now: Date): Checked {
  const { since, isBelieved, checkAfterSeconds } = doubt(pending, now);
  if (isBelieved) return { ...recordOf(pending, now, 0, failedWith(failure)), error: failure };
  const record = recordOf(pending, now, checkAfterSeconds, isTimedOut(pending, now) ? TIMED_OUT : null);
  return { ...record, doubtfulSince: since };
}

function recordOf(pending: Pending, now: Date, seconds: number, result: SubmissionResult | null): CheckRecord {
  const giveUpAt = result && 'outputs' in result ? fetchUntil(pending, now) : pending.giveUpAt;
  const next = nextCheckAt(pending, seconds, now);
  return { pending, progress: null, nextCheckAt: next, giveUpAt, doubtfulSince: null, result };
}

function reportOf({ pending: submission, error }: Checked, result: SubmissionResult): SubmissionReport {
  if (!('failure' in result)) return { submission, outcome: 'ended' };
  return { submission, outcome: result === TIMED_OUT ? 'timed_out' : 'failed', error };
}

function isState(answer: unknown): answer is VendorState {
  return typeof answer === 'object' && answer !== null && 'state' in answer && !(answer instanceof Error);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

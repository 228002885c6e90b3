import { outputsAsked, type Model, type ModelKind } from '#catalogue';
import { forEach, JobPostponed, type Clock, type JobRun } from '#kernel';
import { madeFrom } from './domain/input-set.ts';
import { outputLabel } from './domain/output-type.ts';
import {
  downloadSeconds,
  downloadWaitSeconds,
  fetchAgainSeconds,
  type EndedSubmission,
  type VendorOutput,
} from './domain/submission.ts';
import type { DownloadLimiter } from './download-limits.ts';
import type { OutputFiles } from './output-files.ts';
import { ProviderFailure, type CheckedOutput, type Claimed, type FetchedOutput, type RemoteProvider } from './ports.ts';
import type { RunWatches } from './run-watch.ts';

/** A run of a generation on a remote provider. */
export interface RemoteRun {
  readonly running: Claimed;
  readonly model: Model;
  readonly folder: string;
  readonly job: JobRun;
}

interface Collaborators {
  readonly outputs: Pick<OutputFiles, 'check'>;
  readonly watches: RunWatches;
  readonly downloads: DownloadLimiter;
  readonly clock: Clock;
}

/** Concurrent downloads of one generation. */
const CONCURRENCY = 3;

/** The outputs of remote jobs: at most as many as were requested, without unusable ones. */
export class RemoteOutputs {
  constructor(private readonly deps: Collaborators) {}

  /**
   * @throws JobPostponed when the provider's limit of downloads is reached, or the vendor does not send the outputs now;
   * ProviderFailure when no output is usable
   */
  async fetch(
    run: RemoteRun,
    provider: RemoteProvider,
    submission: EndedSubmission,
    outputs: readonly VendorOutput[],
  ): Promise<readonly CheckedOutput[]> {
    const fetching = this.deps.downloads.tryRun(provider.id, () =>
      this.#watched(run, (signal) => {
        const wanted = requestedOf(run, outputs).map((output, index) => ({
          output,
          file: `${run.folder}/output-${index + 1}`,
        }));
        return usableOf(wanted, CONCURRENCY, async ({ output, file }) => {
          await fetchInTime(provider, output, file, run.model.kind, signal);
          return { ...output, file };
        });
      }),
    );
    if (!fetching) {
      throw new JobPostponed(
        'too many outputs of the provider are being fetched',
        downloadWaitSeconds(run.job.attempt),
      );
    }
    const fetched = await fetching.catch((error: unknown) => {
      if (!(error instanceof ProviderFailure)) throw error;
      const seconds = error.retryable && fetchAgainSeconds(run.job.attempt, submission, this.deps.clock.now());
      if (typeof seconds !== 'number') {
        throw new ProviderFailure('unusable_output', 'an output could not be fetched', { cause: error });
      }
      throw new JobPostponed('the provider does not send its outputs now', seconds, { cause: error });
    });
    return this.check(run, fetched);
  }

  /** @throws ProviderFailure when no output is usable */
  check(run: RemoteRun, outputs: readonly FetchedOutput[]): Promise<readonly CheckedOutput[]> {
    const { id, request } = run.running;
    const from = madeFrom(id, request.inputs);
    return this.#watched(run, (signal) =>
      usableOf(requestedOf(run, outputs), 1, ({ file, label, score }) =>
        this.deps.outputs.check(
          file,
          run.model,
          { label: outputLabel(run.model, label, request.prompt), score },
          from,
          signal,
        ),
      ),
    );
  }

  #watched<T>({ running, job }: RemoteRun, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.deps.watches.during(running, job.signal, ({ signal }) => work(signal));
  }
}

function requestedOf<T>({ model, running }: RemoteRun, outputs: readonly T[]): readonly T[] {
  return outputs.slice(0, outputsAsked(model, running.request.parameters) ?? outputs.length);
}

/**
 * Maps the items by `make`, in order, without those that are unusable.
 *
 * @throws ProviderFailure `unusable_output` when there are items, and none is usable
 */
async function usableOf<T, Made>(
  items: readonly T[],
  concurrency: number,
  make: (item: T) => Promise<Made>,
): Promise<readonly Made[]> {
  const made = new Map<T, Made>();
  const failures: ProviderFailure[] = [];
  await forEach(items, concurrency, async (item) => {
    try {
      made.set(item, await make(item));
    } catch (error) {
      if (!isUnusable(error)) throw error;
      failures.push(error);
    }
  });
  if (made.size === 0 && failures[0]) throw failures[0];
  return items.flatMap((item) => made.get(item) ?? []);
}

function isUnusable(error: unknown): error is ProviderFailure {
  return error instanceof ProviderFailure && error.code === 'unusable_output' && !error.retryable;
}

/** @throws ProviderFailure `provider_unavailable` (retryable) when the download takes too long */
async function fetchInTime(
  provider: RemoteProvider,
  output: VendorOutput,
  file: string,
  kind: ModelKind,
  signal: AbortSignal,
): Promise<void> {
  const limit = AbortSignal.timeout(downloadSeconds(kind) * 1000);
  try {
    await provider.fetchOutput(output, file, kind, AbortSignal.any([signal, limit]));
  } catch (cause) {
    if (signal.aborted || !limit.aborted) throw cause;
    throw new ProviderFailure('provider_unavailable', 'an output did not arrive in time', { retryable: true, cause });
  }
}

import { forEach, JobPostponed, type Clock, type JobRun } from '#kernel';
import type { Model } from './domain/model.ts';
import { outputLabel } from './domain/output-type.ts';
import { outputsAsked } from './domain/parameters.ts';
import { fetchSeconds, placeWaitSeconds, type Over, type VendorOutput } from './domain/submission.ts';
import type { OutputFiles } from './output-files.ts';
import { ProviderFailure, type CheckedOutput, type Claimed, type FetchedOutput, type RemoteProvider } from './ports.ts';
import type { RunWatches } from './run-watch.ts';
import type { VendorPlaces } from './vendor-places.ts';

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
  /** For fetching outputs. */
  readonly places: VendorPlaces;
  readonly clock: Clock;
}

/** Outputs of one generation that are fetched at a time. */
const FETCHES = 3;

/** What remote providers have made: at most as many outputs as the call asks for, without those that can't be used. */
export class RemoteOutputs {
  constructor(private readonly to: Collaborators) {}

  /** @throws JobPostponed when the provider has no free place; ProviderFailure when no output can be used */
  async fetch(
    run: RemoteRun,
    provider: RemoteProvider,
    over: Over,
    outputs: readonly VendorOutput[],
  ): Promise<readonly CheckedOutput[]> {
    const seconds = fetchSeconds(over, this.to.clock.now());
    if (seconds === 0) throw outputsAreLate();
    const limit = AbortSignal.timeout(Math.ceil(seconds * 1000));
    const fetching = this.to.places.during(provider.id, () =>
      this.#watched(run, (signal) => {
        const ending = AbortSignal.any([signal, limit]);
        const wanted = askedFor(run, outputs).map((output, index) => ({
          output,
          file: `${run.folder}/output-${index + 1}`,
        }));
        return usableOf(wanted, FETCHES, async ({ output, file }) => {
          await provider.fetchOutput(output, file, ending);
          return { ...output, file };
        });
      }),
    );
    if (!fetching) {
      throw new JobPostponed('other outputs of the provider are fetched now', placeWaitSeconds(run.job.attempt));
    }
    const fetched = await fetching.catch((error: unknown) => {
      throw limit.aborted ? outputsAreLate(error) : asUnusable(error);
    });
    return this.check(run, fetched);
  }

  /** @throws ProviderFailure when no output can be used */
  check(run: RemoteRun, outputs: readonly FetchedOutput[]): Promise<readonly CheckedOutput[]> {
    const { kind, prompt } = run.running.request;
    return this.#watched(run, (signal) =>
      usableOf(askedFor(run, outputs), 1, ({ file, label, score }) =>
        this.to.outputs.check(file, kind, { label: outputLabel(run.model, label, prompt), score }, signal),
      ),
    );
  }

  #watched<T>({ running, job }: RemoteRun, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.to.watches.during(running, job.signal, ({ signal }) => work(signal));
  }
}

function askedFor<T>({ model, running }: RemoteRun, outputs: readonly T[]): readonly T[] {
  return outputs.slice(0, outputsAsked(model, running.request.parameters) ?? outputs.length);
}

/**
 * What `make` makes of the items, in their order, without those that can't be used.
 *
 * @param limit items at a time
 * @throws ProviderFailure `unusable_output` when there are items, and none can be used
 */
async function usableOf<T, Made>(
  items: readonly T[],
  limit: number,
  make: (item: T) => Promise<Made>,
): Promise<readonly Made[]> {
  const made = new Map<T, Made>();
  const failures: ProviderFailure[] = [];
  await forEach(items, limit, async (item) => {
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

/** Whether trying again is of no use. */
function isUnusable(error: unknown): error is ProviderFailure {
  return error instanceof ProviderFailure && error.code === 'unusable_output' && !error.retryable;
}

function outputsAreLate(cause?: unknown): ProviderFailure {
  return new ProviderFailure('timed_out', 'the outputs did not arrive in time', { cause });
}

/** What was made can't be had. It is asked for again while the job is tried again. */
function asUnusable(error: unknown): unknown {
  if (!(error instanceof ProviderFailure)) return error;
  const { retryable } = error;
  return new ProviderFailure('unusable_output', 'an output could not be fetched', { retryable, cause: error });
}

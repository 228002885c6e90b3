import { shownEvent, type Urls } from '#events';
import { JobPostponed, type Clock, type JobRun, type Jobs, type UnitOfWork } from '#kernel';
import { afterAttempt, type Attempt } from './domain/delivery.ts';
import { afterCallOf, type Endpoint } from './domain/endpoint.ts';
import type { LimitedCalls } from './limited-calls.ts';
import type { Admins, DeliveryStore, EndpointRun, EndpointStore, EventDelivery } from './ports.ts';

/** Concurrent calls of one endpoint, each about another subject. */
const CONCURRENT = 8;
/** Deliveries that are read at once. */
const GROUP_SIZE = 64;
/** Interval at which a run whose calls hang looks for what was added meanwhile. */
const LOOK_MS = 1_000;
/** A run ends after this, so that runs for other endpoints get their turn. */
const LONGEST_MS = 30_000;

/**
 * Delivers events to endpoints. The events of a subject are delivered one after the other, each when the one before it
 * has ended; others do not wait. A call is repeated when its worker dies before the result is recorded: receivers
 * recognise it by the id of the event.
 */
export class EndpointRuns {
  constructor(
    private readonly deps: {
      readonly endpoints: EndpointStore;
      readonly admins: Admins;
      readonly deliveries: Pick<DeliveryStore, 'save'>;
      readonly calls: Pick<LimitedCalls, 'attempt'>;
      /** The URLs of a workspace's files, as they are now. */
      readonly urls: { of(workspaceId: number): Promise<Urls> };
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Delivers what is due. Without effect when a later run has started, or the endpoint is disabled or deleted.
   *
   * @throws JobPostponed until the next delivery is due, or while the limit of concurrent calls is reached; the reason of
   * the job's signal when it is aborted
   */
  async run(run: EndpointRun, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    const calls = new Calls(signal);
    try {
      await this.#deliver(run, calls);
    } finally {
      await calls.ended();
    }
  }

  async #deliver(run: EndpointRun, calls: Calls): Promise<void> {
    const { endpoints, urls, clock, unitOfWork } = this.deps;
    const since = performance.now();
    let waiting: (() => void)[] = [];
    for (;;) {
      const isLate = performance.now() - since > LONGEST_MS;
      if (waiting.length === 0 || isLate) {
        const endpoint = await endpoints.continueRun(run);
        if (!endpoint) return;
        const due = isLate ? [] : await endpoints.due(endpoint.id, clock.now(), calls.ids, GROUP_SIZE);
        const files = await urls.of(endpoint.workspaceId);
        waiting = due.map((each) => () => calls.add(each.delivery.id, this.#call(endpoint, each, files, calls.signal)));
      }
      while (waiting.length > 0 && calls.mayStart) waiting.shift()!();
      if (calls.ids.length > 0) {
        await calls.next();
        continue;
      }
      if (calls.refusal) throw calls.refusal;
      if (waiting.length > 0) continue;
      const next = await unitOfWork.run(() => endpoints.endRun(run, clock.now()));
      if (!next) return;
      const seconds = (next.getTime() - clock.now().getTime()) / 1_000;
      if (seconds > 0 || isLate) throw new JobPostponed('no delivery is due', Math.max(0, seconds));
    }
  }

  async #call(endpoint: Endpoint, { delivery, event }: EventDelivery, files: Urls, signal: AbortSignal): Promise<void> {
    const { url, workspaceId } = endpoint;
    const body = JSON.stringify(shownEvent(event, files));
    const content = () => Promise.resolve({ secret: endpoint, body });
    const attempt = await this.deps.calls.attempt({ url, workspaceId, messageId: event.id }, content, signal);
    if (await this.deps.deliveries.save(afterAttempt(delivery, attempt))) await this.#record(endpoint, attempt);
  }

  /** Records what a call says of its endpoint. Successes of an endpoint that has not failed say nothing new. */
  async #record({ workspaceId, id, ...known }: Endpoint, attempt: Attempt): Promise<void> {
    if (attempt.error === null && known.failingSince === null) return;
    const { endpoints, admins, jobs, unitOfWork } = this.deps;
    await unitOfWork.run(async () => {
      const endpoint = await endpoints.lock(workspaceId, id);
      if (!endpoint) return;
      const after = afterCallOf(endpoint, attempt);
      await endpoints.save(after);
      if (after.isActive || !endpoint.isActive) return;
      for (const admin of await admins.adminsOf(workspaceId)) {
        const payload = { ...admin, notice: 'webhook_endpoint_disabled' };
        await jobs.announce({ name: 'account.notice', payload, workspaceId: null });
      }
    });
  }
}

/** The calls of a run that are under way. */
class Calls {
  readonly #running = new Map<number, Promise<void>>();
  #failure: { readonly error: unknown } | null = null;
  /** Thrown by a call that was refused, until another one ends. */
  refusal: JobPostponed | null = null;

  constructor(readonly signal: AbortSignal) {}

  get ids(): readonly number[] {
    return [...this.#running.keys()];
  }

  get mayStart(): boolean {
    return this.#running.size < CONCURRENT && this.refusal === null;
  }

  /** @param id of the delivery */
  add(id: number, running: Promise<void>): void {
    const call = running.then(
      () => void (this.refusal = null),
      (error: unknown) => {
        if (error instanceof JobPostponed) this.refusal = error;
        else this.#failure ??= { error };
      },
    );
    this.#running.set(
      id,
      call.finally(() => this.#running.delete(id)),
    );
  }

  /** Waits until a call has ended, or for a second. @throws the error of a call; the signal's reason when it is aborted */
  async next(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const look = new Promise<void>((resolve) => (timer = setTimeout(resolve, LOOK_MS)));
    await Promise.race([...this.#running.values(), look]);
    clearTimeout(timer);
    this.signal.throwIfAborted();
    if (this.#failure) throw this.#failure.error;
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}

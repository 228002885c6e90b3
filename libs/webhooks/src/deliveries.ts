import { batchSummary, type BatchViews } from '#batch';
import type { GenerationResults } from '#generation';
import type { Actor } from '#identity';
import { DomainError, JobPostponed, notFound, type Clock, type JobRun, type Jobs, type UnitOfWork } from '#kernel';
import { SourceFailure } from '#sources';
import {
  afterAttempt,
  errorOfStatus,
  hasResponded,
  type Attempt,
  type Delivery,
  type NewDelivery,
  type PendingDelivery,
} from './domain/delivery.ts';
import { newWebhookSecret, signingSecrets } from './domain/secret.ts';
import type { HostLimiter } from './host-limiter.ts';
import type { DeliveryStore, WebhookCalls, WebhookSecrets } from './ports.ts';

type Ended = Pick<NewDelivery, 'workspaceId' | 'url' | 'createdAt'> &
  ({ readonly generationId: number } | { readonly batchId: number });

/** Schedules the webhooks of generations and batches. */
export class Deliveries {
  constructor(
    private readonly deps: {
      readonly deliveries: Pick<DeliveryStore, 'add' | 'restart'>;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /** Schedules the call for a generation or a batch that ends in the surrounding unit of work. */
  async schedule(ended: Ended): Promise<void> {
    const messageId = `msg_${crypto.randomUUID()}`;
    const deliveryId = await this.deps.deliveries.add({ generationId: null, batchId: null, ...ended, messageId });
    await this.#announce(ended.workspaceId, deliveryId, 1);
  }

  /**
   * Starts a delivery again, with the full schedule of retries, whether or not it was delivered.
   *
   * @throws DomainError `not_found`
   */
  redeliver({ workspaceId }: Pick<Actor, 'workspaceId'>, deliveryId: number): Promise<Delivery> {
    return this.deps.unitOfWork.run(async () => {
      const delivery = await this.deps.deliveries.restart(workspaceId, deliveryId, this.deps.clock.now());
      if (!delivery) throw notFound('delivery');
      await this.#announce(workspaceId, deliveryId, delivery.revision);
      return delivery;
    });
  }

  #announce(workspaceId: number, deliveryId: number, revision: number): Promise<void> {
    return this.deps.jobs.announce({ name: 'webhook.deliver', payload: { deliveryId, revision }, workspaceId });
  }
}

/**
 * Calls webhooks. A call is repeated when its worker dies before the result is recorded; receivers recognise it by its
 * message id.
 */
export class DeliveryRuns {
  constructor(
    private readonly deps: {
      readonly deliveries: Pick<DeliveryStore, 'pending' | 'save'>;
      readonly secrets: Pick<WebhookSecrets, 'get'>;
      readonly results: Pick<GenerationResults, 'get'>;
      readonly batches: Pick<BatchViews, 'get'>;
      readonly calls: WebhookCalls;
      readonly limiter: Pick<HostLimiter, 'acquire'>;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Calls a webhook that is due. Without effect on a delivery that has ended or was started again.
   *
   * @throws JobPostponed until the next attempt, or while the limit of concurrent calls is reached; the reason of the
   * job's signal when it is aborted
   */
  async run({ deliveryId, revision }: { deliveryId: number; revision: number }, { signal }: JobRun): Promise<void> {
    const delivery = await this.deps.deliveries.pending(deliveryId, revision);
    if (!delivery) return;
    this.#postponeUntil(delivery.nextAttemptAt);
    const after = afterAttempt(delivery, await this.#attemptWithPermit(delivery, signal));
    if ((await this.deps.deliveries.save(after)) && after.state === 'pending') this.#postponeUntil(after.nextAttemptAt);
  }

  /** Fails a delivery whose job has failed. */
  async fail({ deliveryId, revision }: { deliveryId: number; revision: number }): Promise<void> {
    const delivery = await this.deps.deliveries.pending(deliveryId, revision);
    if (!delivery) return;
    const attempt = { at: this.deps.clock.now(), status: null, error: 'internal_error', durationMs: 0 };
    const { attempts, tries } = afterAttempt(delivery, attempt);
    await this.deps.deliveries.save({ ...delivery, attempts, tries, state: 'failed', nextAttemptAt: null });
  }

  async #attemptWithPermit(delivery: PendingDelivery, signal: AbortSignal): Promise<Attempt> {
    const permit = this.deps.limiter.acquire(delivery.url, delivery.workspaceId);
    if ('retryAfterSeconds' in permit) {
      throw new JobPostponed('too many concurrent calls to hosts like this one', permit.retryAfterSeconds);
    }
    let attempt: Attempt | null = null;
    try {
      attempt = await this.#attempt(delivery, permit.timeoutSeconds, signal);
      return attempt;
    } finally {
      permit.release(attempt && hasResponded(attempt));
    }
  }

  async #attempt(delivery: PendingDelivery, timeoutSeconds: number, signal: AbortSignal): Promise<Attempt> {
    const at = this.deps.clock.now();
    const ended = (status: number | null, error: string | null): Attempt => {
      return { at, status, error, durationMs: this.deps.clock.now().getTime() - at.getTime() };
    };
    try {
      const { workspaceId, url, messageId } = delivery;
      const body = await this.#bodyOf(delivery);
      const secrets = signingSecrets(await this.deps.secrets.get(workspaceId, newWebhookSecret()), at);
      const status = await this.deps.calls.post({ url, messageId, at, body, secrets, timeoutSeconds }, signal);
      return ended(status, errorOfStatus(status));
    } catch (error) {
      const isKnown = error instanceof SourceFailure || (error instanceof DomainError && error.code === 'unavailable');
      if (isKnown) return ended(null, error.code);
      throw error;
    }
  }

  /** Made for each attempt, because the URLs of files may change. */
  async #bodyOf({ workspaceId, generationId, batchId, createdAt: timestamp }: Delivery): Promise<string> {
    if (batchId !== null) {
      const data = {
        batch_id: batchId,
        status: true,
        ...batchSummary(await this.deps.batches.get(workspaceId, batchId)),
      };
      return JSON.stringify({ type: 'batch.ended', timestamp, data });
    }
    const results = await this.deps.results.get(workspaceId, generationId!);
    const data = { generation_id: generationId, status: true, ...results };
    return JSON.stringify({ type: `generation.${results.progress.state}`, timestamp, data });
  }

  #postponeUntil(time: Date): void {
    const seconds = (time.getTime() - this.deps.clock.now().getTime()) / 1_000;
    if (seconds > 0) throw new JobPostponed('the webhook is not due yet', seconds);
  }
}

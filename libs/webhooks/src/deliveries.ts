import type { GenerationResults, Results } from '#generation';
import type { Actor } from '#identity';
import { DomainError, JobPostponed, notFound, type Clock, type JobRun, type Jobs, type UnitOfWork } from '#kernel';
import { SourceFailure } from '#sources';
import {
  afterAttempt,
  errorOfStatus,
  isAnswered,
  type Attempt,
  type Delivery,
  type NewDelivery,
  type PendingDelivery,
} from './domain/delivery.ts';
import { newWebhookSecret, signingSecrets } from './domain/secret.ts';
import type { HostPlaces } from './host-places.ts';
import type { DeliveryStore, WebhookCalls, WebhookSecrets } from './ports.ts';

/** Calls of webhooks, except for making them. */
export class Deliveries {
  constructor(
    private readonly to: {
      readonly deliveries: Pick<DeliveryStore, 'add' | 'restart'>;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /** Schedules the call for a generation that ends in the surrounding unit of work. */
  async schedule(generation: Omit<NewDelivery, 'messageId'>): Promise<void> {
    const messageId = `msg_${crypto.randomUUID()}`;
    const deliveryId = await this.to.deliveries.add({ ...generation, messageId });
    await this.#announce(generation.workspaceId, deliveryId, 1);
  }

  /**
   * Makes the call again, whether it was delivered or not, and again by the whole schedule if it fails.
   *
   * @throws DomainError `not_found`
   */
  redeliver({ workspaceId }: Pick<Actor, 'workspaceId'>, deliveryId: number): Promise<Delivery> {
    return this.to.unitOfWork.run(async () => {
      const delivery = await this.to.deliveries.restart(workspaceId, deliveryId, this.to.clock.now());
      if (!delivery) throw notFound('delivery');
      await this.#announce(workspaceId, deliveryId, delivery.revision);
      return delivery;
    });
  }

  #announce(workspaceId: number, deliveryId: number, revision: number): Promise<void> {
    return this.to.jobs.announce({ name: 'webhook.deliver', payload: { deliveryId, revision }, workspaceId });
  }
}

/** Makes the calls. A call may be repeated when its worker dies before it is recorded: its id tells. */
export class DeliveryRuns {
  constructor(
    private readonly to: {
      readonly deliveries: Pick<DeliveryStore, 'pending' | 'save'>;
      readonly secrets: Pick<WebhookSecrets, 'get'>;
      readonly results: Pick<GenerationResults, 'of'>;
      readonly calls: WebhookCalls;
      readonly hosts: Pick<HostPlaces, 'enter'>;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Makes the call when it is due and its host has a place. Without effect on a delivery that has ended or was started
   * anew.
   *
   * @throws JobPostponed until the next call, or until a place may be free; the reason of the job's signal when that is aborted
   */
  async run({ deliveryId, revision }: { deliveryId: number; revision: number }, { signal }: JobRun): Promise<void> {
    const delivery = await this.to.deliveries.pending(deliveryId, revision);
    if (!delivery) return;
    this.#postponeUntil(delivery.nextAttemptAt);
    const after = afterAttempt(delivery, await this.#attemptInPlace(delivery, signal));
    if ((await this.to.deliveries.save(after)) && after.state === 'pending') this.#postponeUntil(after.nextAttemptAt);
  }

  /** Fails a delivery whose job has failed. */
  async fail({ deliveryId, revision }: { deliveryId: number; revision: number }): Promise<void> {
    const delivery = await this.to.deliveries.pending(deliveryId, revision);
    if (!delivery) return;
    const attempt = { at: this.to.clock.now(), status: null, error: 'internal_error', durationMs: 0 };
    const { attempts, tries } = afterAttempt(delivery, attempt);
    await this.to.deliveries.save({ ...delivery, attempts, tries, state: 'failed', nextAttemptAt: null });
  }

  async #attemptInPlace(delivery: PendingDelivery, signal: AbortSignal): Promise<Attempt> {
    const place = this.to.hosts.enter(delivery.url, delivery.workspaceId);
    if (typeof place === 'number') throw new JobPostponed('the calls under way to such hosts come first', place);
    let attempt: Attempt | null = null;
    try {
      attempt = await this.#attempt(delivery, place.patienceSeconds, signal);
      return attempt;
    } finally {
      place.leave(attempt && isAnswered(attempt));
    }
  }

  async #attempt(delivery: PendingDelivery, patienceSeconds: number, signal: AbortSignal): Promise<Attempt> {
    const at = this.to.clock.now();
    const ended = (status: number | null, error: string | null): Attempt => {
      return { at, status, error, durationMs: this.to.clock.now().getTime() - at.getTime() };
    };
    try {
      const { workspaceId, generationId, url, messageId } = delivery;
      const body = bodyOf(delivery, await this.to.results.of(workspaceId, generationId));
      const secrets = signingSecrets(await this.to.secrets.get(workspaceId, newWebhookSecret()), at);
      const status = await this.to.calls.post({ url, messageId, at, body, secrets, patienceSeconds }, signal);
      return ended(status, errorOfStatus(status));
    } catch (error) {
      const isKnown = error instanceof SourceFailure || (error instanceof DomainError && error.code === 'unavailable');
      if (isKnown) return ended(null, error.code);
      throw error;
    }
  }

  #postponeUntil(time: Date): void {
    const seconds = (time.getTime() - this.to.clock.now().getTime()) / 1_000;
    if (seconds > 0) throw new JobPostponed('the webhook is called later', seconds);
  }
}

/** The URLs in it are those of the moment. */
function bodyOf({ generationId, createdAt }: Delivery, results: Results): string {
  return JSON.stringify({
    type: `generation.${results.progress.state}`,
    timestamp: createdAt,
    data: { generation_id: generationId, status: true, ...results },
  });
}

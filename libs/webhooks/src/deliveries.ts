import { batchSummary, type BatchViews } from '#batch';
import type { Event, EventConsumer } from '#events';
import type { GenerationResults } from '#generation';
import type { Actor } from '#identity';
import { JobPostponed, notFound, type Clock, type JobRun, type Jobs, type UnitOfWork } from '#kernel';
import { afterAttempt, type Delivery } from './domain/delivery.ts';
import { takesEvent, type Endpoint } from './domain/endpoint.ts';
import { newWebhookSecret } from './domain/secret.ts';
import type { LimitedCalls } from './limited-calls.ts';
import type { DeliveryStore, EndpointStore, WebhookSecrets } from './ports.ts';

/** Schedules what is to be called when events are published, and redeliveries. */
export class Deliveries implements EventConsumer {
  constructor(
    private readonly deps: {
      readonly deliveries: Pick<DeliveryStore, 'add' | 'restart'>;
      readonly endpoints: Pick<EndpointStore, 'active' | 'deliver' | 'startRuns'>;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /** Schedules the webhooks of calls that have ended, and the deliveries to endpoints. */
  async consume(events: readonly Event[]): Promise<void> {
    for (const event of events) if (event.webhook !== null) await this.#callBack(event, event.webhook);
    const { endpoints, clock } = this.deps;
    const active = await endpoints.active([...new Set(events.map(({ workspaceId }) => workspaceId))]);
    const deliveries = events.flatMap((event) =>
      active
        .filter((endpoint) => endpoint.workspaceId === event.workspaceId && takesEvent(endpoint, event))
        .map((endpoint) => ({ endpoint, event })),
    );
    if (deliveries.length === 0) return;
    await endpoints.deliver(deliveries, clock.now());
    await this.wake(deliveries.map(({ endpoint }) => endpoint));
  }

  /** Starts the deliveries to endpoints, in the surrounding unit of work. */
  async wake(endpoints: readonly Pick<Endpoint, 'id' | 'workspaceId'>[]): Promise<void> {
    const workspaces = new Map(endpoints.map(({ id, workspaceId }) => [id, workspaceId]));
    for (const payload of await this.deps.endpoints.startRuns([...workspaces.keys()])) {
      const workspaceId = workspaces.get(payload.endpointId)!;
      await this.deps.jobs.announce({ name: 'webhook.endpoint', payload, workspaceId });
    }
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
      const { endpointId, revision } = delivery;
      if (endpointId === null) await this.#announce(workspaceId, deliveryId, revision);
      else await this.wake([{ id: endpointId, workspaceId }]);
      return delivery;
    });
  }

  async #callBack({ workspaceId, type, subjectId, id, createdAt }: Event, url: string): Promise<void> {
    const ended = Number(subjectId);
    const about =
      type === 'batch.ended' ? { batchId: ended, generationId: null } : { generationId: ended, batchId: null };
    const deliveryId = await this.deps.deliveries.add({ workspaceId, ...about, url, messageId: id, createdAt });
    await this.#announce(workspaceId, deliveryId, 1);
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
      readonly calls: LimitedCalls;
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
    const attempt = await this.deps.calls.attempt(
      delivery,
      async () => {
        const secret = await this.deps.secrets.get(delivery.workspaceId, newWebhookSecret());
        return { secret, body: await this.#bodyOf(delivery) };
      },
      signal,
    );
    const after = afterAttempt(delivery, attempt);
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

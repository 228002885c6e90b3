import type { AuditLog } from '#audit-log';
import type { EventLog } from '#events';
import type { Actor } from '#identity';
import { DomainError, invalidField, notFound, type Clock, type UnitOfWork } from '#kernel';
import type { Deliveries } from './deliveries.ts';
import {
  changedEndpoint,
  MAX_ENDPOINTS,
  requireCallable,
  type Endpoint,
  type EndpointFields,
} from './domain/endpoint.ts';
import { newWebhookSecret } from './domain/secret.ts';
import type { EndpointStore, EventRange } from './ports.ts';

/** Events that one call delivers again. */
export const MAX_REDELIVERED = 10_000;

type Workspace = Pick<Actor, 'workspaceId'>;

/** The receivers of the events of a workspace. */
export class Endpoints {
  constructor(
    private readonly deps: {
      readonly endpoints: EndpointStore;
      readonly deliveries: Pick<Deliveries, 'wake'>;
      readonly events: EventLog;
      /** Reports whether the service may call a URL, judged by its text. */
      readonly mayCall: (url: string) => boolean;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /** @throws DomainError `validation_failed`; `conflict` when the workspace has 20 */
  async add({ workspaceId }: Workspace, fields: EndpointFields): Promise<Endpoint> {
    const { endpoints, unitOfWork, clock } = this.deps;
    requireCallable(fields.url, this.deps.mayCall);
    return unitOfWork.run(async () => {
      const id = await endpoints.add(workspaceId, fields, newWebhookSecret(), clock.now(), MAX_ENDPOINTS);
      if (id === null) {
        throw new DomainError(
          'conflict',
          `a workspace has at most ${MAX_ENDPOINTS} webhook endpoints: delete one first`,
        );
      }
      await this.#record('webhook_endpoint.create', workspaceId, id);
      return (await endpoints.find(workspaceId, id))!;
    });
  }

  /** An endpoint that is activated again gets what waited when it was disabled. @throws DomainError `validation_failed`, `not_found` */
  async update(caller: Workspace, id: number, changes: Partial<EndpointFields>): Promise<Endpoint> {
    if (changes.url !== undefined) requireCallable(changes.url, this.deps.mayCall);
    return this.#change(caller, id, 'webhook_endpoint.update', (endpoint) => changedEndpoint(endpoint, changes));
  }

  /** Replaces the secret; the previous one also signs for 24 hours. @throws DomainError `not_found` */
  rotateSecret(caller: Workspace, id: number): Promise<Endpoint> {
    return this.#change(caller, id, 'webhook_endpoint.rotate', (endpoint) => {
      const rotatedAt = this.deps.clock.now();
      return { ...endpoint, secret: newWebhookSecret(), previous: endpoint.secret, rotatedAt };
    });
  }

  /** Deletes an endpoint; what is under way has no effect any more. @throws DomainError `not_found` */
  delete({ workspaceId }: Workspace, id: number): Promise<void> {
    return this.deps.unitOfWork.run(async () => {
      await this.#record('webhook_endpoint.delete', workspaceId, id);
      if (!(await this.deps.endpoints.delete(workspaceId, id))) throw notFound('webhook_endpoint');
    });
  }

  /** Sends one `test` event to an active endpoint. @throws DomainError `not_found`; `conflict` for a disabled one */
  test({ workspaceId }: Workspace, id: number): Promise<void> {
    const { endpoints, events, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      requireActive(await endpoints.find(workspaceId, id));
      await events.record({ workspaceId, type: 'test', subjectId: id, createdAt: clock.now() });
    });
  }

  /**
   * Delivers events of the last 30 days again, the oldest first.
   *
   * @returns the number of events, at most 10,000
   * @throws DomainError `validation_failed`; `not_found` (the endpoint); `conflict` for a disabled one
   */
  async redeliver({ workspaceId }: Workspace, id: number, range: EventRange): Promise<number> {
    const { endpoints, deliveries, unitOfWork, clock } = this.deps;
    if ('after' in range && range.after >= range.before) throw invalidField('before', 'must be later than after');
    return unitOfWork.run(async () => {
      const endpoint = requireActive(await endpoints.lock(workspaceId, id));
      const count = await endpoints.deliverAgain(endpoint, range, clock.now(), MAX_REDELIVERED);
      await deliveries.wake([endpoint]);
      return count;
    });
  }

  #change(
    { workspaceId }: Workspace,
    id: number,
    action: 'webhook_endpoint.update' | 'webhook_endpoint.rotate',
    change: (endpoint: Endpoint) => Endpoint,
  ): Promise<Endpoint> {
    const { endpoints, deliveries, unitOfWork } = this.deps;
    return unitOfWork.run(async () => {
      const endpoint = await endpoints.lock(workspaceId, id);
      if (!endpoint) throw notFound('webhook_endpoint');
      const changed = change(endpoint);
      await endpoints.save(changed);
      await this.#record(action, workspaceId, id);
      await deliveries.wake([changed]);
      return changed;
    });
  }

  #record(
    action: `webhook_endpoint.${'create' | 'update' | 'rotate' | 'delete'}`,
    workspaceId: number,
    target: number,
  ): Promise<void> {
    return this.deps.auditLog.record({ action, target, details: {}, workspaceId });
  }
}

function requireActive(endpoint: Endpoint | null): Endpoint {
  if (!endpoint) throw notFound('webhook_endpoint');
  if (!endpoint.isActive) throw new DomainError('conflict', 'the endpoint is disabled: set active to true first');
  return endpoint;
}

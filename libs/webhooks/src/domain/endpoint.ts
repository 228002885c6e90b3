import { SUBJECT_OF, type Event, type EventType } from '#events';
import { invalidField } from '#kernel';
import { hasSucceeded, type Attempt } from './delivery.ts';
import type { WebhookSecret } from './secret.ts';

/** A receiver of the events of a workspace. */
export interface Endpoint extends WebhookSecret {
  readonly id: number;
  readonly workspaceId: number;
  readonly url: string;
  /** `null` for all. */
  readonly types: readonly EventType[] | null;
  readonly description: string | null;
  readonly isActive: boolean;
  /** The first of the latest attempts that all failed; `null` after a success. */
  readonly failingSince: Date | null;
  /** The error code of the latest attempt; `null` after a success. */
  readonly lastError: string | null;
  readonly createdAt: Date;
}

export type EndpointFields = Pick<Endpoint, 'url' | 'types' | 'description' | 'isActive'>;

export const MAX_ENDPOINTS = 20;
export const ENDPOINT_STATES = ['active', 'failing', 'disabled'] as const;

const DAY_MS = 86_400_000;
/** An endpoint that has failed for this long is disabled. */
const DISABLED_AFTER_MS = 3 * DAY_MS;

export function endpointState({ isActive, failingSince }: Pick<Endpoint, 'isActive' | 'failingSince'>) {
  if (!isActive) return 'disabled';
  return failingSince === null ? 'active' : 'failing';
}

/** Reports whether an endpoint gets an event: one of its types, and of tests its own. */
export function takesEvent(endpoint: Pick<Endpoint, 'id' | 'types'>, { type, subjectId }: EventKey): boolean {
  if (type === 'test') return subjectId === String(endpoint.id);
  return endpoint.types === null || endpoint.types.includes(type);
}

type EventKey = Pick<Event, 'type' | 'subjectId'>;

/** Identifies the subject of an event: the deliveries of one subject are made one after the other. */
export function subjectKey({ type, subjectId }: EventKey): string {
  return `${SUBJECT_OF[type]}:${subjectId}`;
}

/** An endpoint after an attempt. It is disabled by a failure three days after the first one, without a success between. */
export function afterCallOf<T extends Pick<Endpoint, 'isActive' | 'failingSince' | 'lastError'>>(
  endpoint: T,
  attempt: Attempt,
): T {
  if (hasSucceeded(attempt)) return { ...endpoint, failingSince: null, lastError: null };
  const failingSince = endpoint.failingSince ?? attempt.at;
  const isActive = endpoint.isActive && attempt.at.getTime() - failingSince.getTime() < DISABLED_AFTER_MS;
  return { ...endpoint, failingSince, lastError: attempt.error, isActive };
}

/** A changed endpoint: one that is activated again has no past. */
export function changedEndpoint(endpoint: Endpoint, changes: Partial<EndpointFields>): Endpoint {
  const changed = { ...endpoint, ...changes };
  const isNew = changed.isActive && (!endpoint.isActive || changed.url !== endpoint.url);
  return isNew ? { ...changed, failingSince: null, lastError: null } : changed;
}

/** @throws DomainError `validation_failed` for a URL that must not be called */
export function requireCallable(url: string, mayCall: (url: string) => boolean): void {
  if (!mayCall(url)) throw invalidField('url', 'must be at a public host, on port 80 or 443, without credentials');
}

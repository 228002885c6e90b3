import type { Event } from '#events';
import type { Page, PageRequest } from '#kernel';
import type { Delivery, NewDelivery, PendingDelivery } from './domain/delivery.ts';
import type { Endpoint, EndpointFields } from './domain/endpoint.ts';
import type { WebhookSecret } from './domain/secret.ts';

export interface DeliveryStore {
  /** Adds a delivery about a generation or a batch, due at once, in revision 1. Returns its id. */
  add(delivery: NewDelivery): Promise<number>;

  /** `null` unless the delivery is pending in this revision. */
  pending(id: number, revision: number): Promise<PendingDelivery | null>;

  /** Saves a delivery after an attempt. False, without effect, unless it is pending with the same revision and `tries`. */
  save(after: Delivery): Promise<boolean>;

  /**
   * Makes a delivery pending and due at `at`, in the next revision and at the beginning of the schedule. `null` when it
   * does not exist in the workspace.
   */
  restart(workspaceId: number, id: number, at: Date): Promise<Delivery | null>;
}

export interface DeliveryFilter {
  readonly generationId?: number | undefined;
  readonly batchId?: number | undefined;
  readonly endpointId?: number | undefined;
}

export interface DeliveryViews {
  /** Newest first: the deliveries of one generation, batch or endpoint, or all. */
  list(workspaceId: number, of: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>>;

  exists(workspaceId: number, id: number): Promise<boolean>;
}

/** An event that an endpoint gets. */
export interface EventDelivery {
  readonly delivery: PendingDelivery;
  readonly event: Event;
}

/** Selects the published events of a workspace. */
export type EventRange =
  | { readonly ids: readonly string[] }
  /** Created after `after`, until `before`. */
  | { readonly after: Date; readonly before: Date };

/** Endpoints and their deliveries. All methods that change something join the surrounding unit of work. */
export interface EndpointStore {
  /** Returns its id; `null` when the workspace has as many as `max`. */
  add(workspaceId: number, endpoint: EndpointFields, secret: string, at: Date, max: number): Promise<number | null>;

  /** Oldest first. */
  list(workspaceId: number): Promise<readonly Endpoint[]>;

  /** The active endpoints of these workspaces. */
  active(workspaceIds: readonly number[]): Promise<readonly Endpoint[]>;

  find(workspaceId: number, id: number): Promise<Endpoint | null>;

  /** Like `find`. Locks the endpoint until the surrounding unit of work ends. */
  lock(workspaceId: number, id: number): Promise<Endpoint | null>;

  save(endpoint: Endpoint): Promise<void>;

  /** Deletes an endpoint with its deliveries. False when it does not exist in the workspace. */
  delete(workspaceId: number, id: number): Promise<boolean>;

  /** Adds deliveries, due at once. An event that the endpoint has got, or is to get, is delivered anew. */
  deliver(deliveries: readonly { readonly endpoint: Endpoint; readonly event: Event }[], at: Date): Promise<void>;

  /** Like `deliver`, for the events in the range that the endpoint takes. @returns their number, at most `max` */
  deliverAgain(endpoint: Endpoint, range: EventRange, at: Date, max: number): Promise<number>;

  /** Starts a run for each of those active endpoints that have none. Their rows are locked. */
  startRuns(endpointIds: readonly number[]): Promise<readonly EndpointRun[]>;

  /** The endpoint of a run; `null` when a later run has started, or the endpoint is disabled or deleted. */
  continueRun(run: EndpointRun): Promise<Endpoint | null>;

  /**
   * The next deliveries of an endpoint: those that are due at `at`, and of each subject the first that has not ended.
   *
   * @param except ids of deliveries that are under way
   */
  due(endpointId: number, at: Date, except: readonly number[], limit: number): Promise<readonly EventDelivery[]>;

  /**
   * Ends a run unless a delivery is due at `at`. What is added later starts another one.
   *
   * @returns when the next delivery is due: `at` if the run goes on, `null` for never
   */
  endRun(run: EndpointRun, at: Date): Promise<Date | null>;
}

export interface Admins {
  /** The addresses of the admins and the owner of a workspace. */
  adminsOf(workspaceId: number): Promise<readonly { readonly userId: number; readonly email: string }[]>;
}

/** One run of deliveries to an endpoint. */
export interface EndpointRun {
  readonly endpointId: number;
  /** Counts the runs. */
  readonly run: number;
}

export interface WebhookSecrets {
  /** Returns the secret of the workspace; stores `first` if it has none. */
  get(workspaceId: number, first: string): Promise<WebhookSecret>;

  /** Makes `next` the current secret, and the current one the previous. */
  rotate(workspaceId: number, next: string, at: Date): Promise<WebhookSecret>;
}

/** One call of a webhook. */
export interface WebhookCall {
  readonly url: string;
  readonly messageId: string;
  /** Signed together with the body, so that receivers can reject replayed calls. */
  readonly at: Date;
  readonly body: string;
  /** The call has a signature by each of them. */
  readonly secrets: readonly string[];
  readonly timeoutSeconds: number;
}

export interface WebhookCalls {
  /**
   * Sends one signed POST to the URL, if it is at a public address. Does not follow redirects, and does not read the
   * body of the response.
   *
   * @returns the status of the response
   * @throws SourceFailure `url_blocked`, `url_unreachable`, `url_timeout`; the signal's reason when it is aborted
   */
  post(call: WebhookCall, signal: AbortSignal): Promise<number>;
}

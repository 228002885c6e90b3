import type { Page, PageRequest } from '#kernel';
import type { Delivery, NewDelivery, PendingDelivery } from './domain/delivery.ts';
import type { WebhookSecret } from './domain/secret.ts';

export interface DeliveryStore {
  /** Adds a delivery, due at once, in revision 1. Returns its id. */
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

export interface DeliveryViews {
  /** Newest first: the deliveries of one generation or batch, or of all. */
  list(
    workspaceId: number,
    of: { readonly generationId?: number | undefined; readonly batchId?: number | undefined },
    page: PageRequest,
  ): Promise<Page<Delivery>>;

  exists(workspaceId: number, id: number): Promise<boolean>;
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

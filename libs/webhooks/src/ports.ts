import type { Page, PageRequest } from '#kernel';
import type { Delivery, NewDelivery, PendingDelivery } from './domain/delivery.ts';
import type { WebhookSecret } from './domain/secret.ts';

export interface DeliveryStore {
  /** Adds a delivery that is due at once, in its first revision; returns its id. */
  add(delivery: NewDelivery): Promise<number>;

  /** The delivery while it is pending in this revision. */
  pending(id: number, revision: number): Promise<PendingDelivery | null>;

  /** Saves what an attempt made of it. False, without effect, unless it is pending in the same revision and try. */
  save(after: Delivery): Promise<boolean>;

  /**
   * Makes it pending and due at `at`, in the next revision, from the beginning of the schedule. `null` when it is
   * unknown or in another workspace.
   */
  restart(workspaceId: number, id: number, at: Date): Promise<Delivery | null>;
}

export interface DeliveryViews {
  /** Newest first; of one generation unless `generationId` is `null`. */
  list(workspaceId: number, generationId: number | null, page: PageRequest): Promise<Page<Delivery>>;

  exists(workspaceId: number, id: number): Promise<boolean>;
}

export interface WebhookSecrets {
  /** The secret of the workspace: `first`, unless it has one already. */
  get(workspaceId: number, first: string): Promise<WebhookSecret>;

  /** Makes `next` the secret, and the one until now the one before. */
  rotate(workspaceId: number, next: string, at: Date): Promise<WebhookSecret>;
}

/** A webhook as it is sent. */
export interface WebhookCall {
  readonly url: string;
  readonly messageId: string;
  /** Signed with the body, so that receivers can refuse a call that is repeated later. */
  readonly at: Date;
  readonly body: string;
  /** Each adds a signature. */
  readonly secrets: readonly string[];
  /** How long the response may take. */
  readonly patienceSeconds: number;
}

export interface WebhookCalls {
  /**
   * Sends one signed POST to the URL, its query included, and waits as long as it says. Only to public addresses. Redirects are
   * not followed; the body of the response is not read.
   *
   * @returns the status of the response
   * @throws SourceFailure `url_blocked`, `url_unreachable`, `url_timeout`; the signal's reason when it is aborted
   */
  post(call: WebhookCall, signal: AbortSignal): Promise<number>;
}

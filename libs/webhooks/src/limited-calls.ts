import { DomainError, JobPostponed, type Clock } from '#kernel';
import { SourceFailure } from '#sources';
import { errorOfStatus, hasResponded, type Attempt, type Delivery } from './domain/delivery.ts';
import { signingSecrets, type WebhookSecret } from './domain/secret.ts';
import type { HostLimiter } from './host-limiter.ts';
import type { WebhookCalls } from './ports.ts';

/** Content of a call, and the secret that signs it. */
interface Content {
  readonly secret: WebhookSecret;
  readonly body: string;
}

/** Calls of webhooks, within the limits of concurrent calls of this process. */
export class LimitedCalls {
  constructor(
    private readonly calls: WebhookCalls,
    private readonly limiter: Pick<HostLimiter, 'acquire'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one attempt of a delivery.
   *
   * @param content made for each attempt, because the URLs of files may change
   * @throws JobPostponed while the limit is reached; the signal's reason when it is aborted
   */
  async attempt(
    { url, workspaceId, messageId }: Pick<Delivery, 'url' | 'workspaceId' | 'messageId'>,
    content: () => Promise<Content>,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const permit = this.limiter.acquire(url, workspaceId);
    if ('retryAfterSeconds' in permit) {
      throw new JobPostponed('too many concurrent calls to hosts like this one', permit.retryAfterSeconds);
    }
    let attempt: Attempt | null = null;
    try {
      const { timeoutSeconds } = permit;
      attempt = await this.#call(async (at) => {
        const { secret, body } = await content();
        const secrets = signingSecrets(secret, at);
        return this.calls.post({ url, messageId, at, body, secrets, timeoutSeconds }, signal);
      });
      return attempt;
    } finally {
      permit.release(attempt && hasResponded(attempt));
    }
  }

  async #call(post: (at: Date) => Promise<number>): Promise<Attempt> {
    const at = this.clock.now();
    const ended = (status: number | null, error: string | null): Attempt => {
      return { at, status, error, durationMs: this.clock.now().getTime() - at.getTime() };
    };
    try {
      const status = await post(at);
      return ended(status, errorOfStatus(status));
    } catch (error) {
      const isKnown = error instanceof SourceFailure || (error instanceof DomainError && error.code === 'unavailable');
      if (isKnown) return ended(null, error.code);
      throw error;
    }
  }
}

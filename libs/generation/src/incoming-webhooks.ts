import { DomainError, notFound, type Clock } from '#kernel';
import type { RemoteProviders, SubmissionStore } from './ports.ts';

/** Webhooks of providers. Their content is not used: a webhook only makes the next status check due. */
export class IncomingWebhooks {
  constructor(
    private readonly deps: {
      readonly remotes: RemoteProviders;
      readonly submissions: Pick<SubmissionStore, 'checkNow'>;
      readonly clock: Clock;
    },
  ) {}

  /**
   * @param requestKey the submission's; without one, no check becomes due
   * @throws DomainError `not_found` for a provider without webhooks, `unauthenticated` for an invalid signature
   */
  async receive(
    providerId: string,
    requestKey: string | undefined,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { remotes, submissions, clock } = this.deps;
    const provider = remotes.get(providerId);
    if (!provider?.hasWebhooks) throw notFound('provider');
    if (!(await provider.isAuthentic(body, headers))) {
      throw new DomainError('unauthenticated', 'the webhook has no valid signature of the provider');
    }
    if (requestKey) await submissions.checkNow(requestKey, clock.now());
  }
}

import { DomainError, notFound, type Clock } from '#kernel';
import type { RemoteProvider, SubmissionStore } from './ports.ts';

/** Webhooks that providers send. What they say is not believed: they bring the next check forward. */
export class IncomingWebhooks {
  constructor(
    private readonly to: {
      readonly remotes: readonly RemoteProvider[];
      readonly submissions: Pick<SubmissionStore, 'checkNow'>;
      readonly clock: Clock;
    },
  ) {}

  /**
   * @param requestKey of the submission; without one nothing is checked
   * @throws DomainError `not_found` for a provider that sends none, `unauthenticated` when it has not sent this one
   */
  async receive(
    providerId: string,
    requestKey: string | undefined,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { remotes, submissions, clock } = this.to;
    const provider = remotes.find(({ id }) => id === providerId);
    if (!provider?.hasWebhooks) throw notFound('provider');
    if (!(await provider.isAuthentic(body, headers))) {
      throw new DomainError('unauthenticated', 'the webhook has no valid signature of the provider');
    }
    if (requestKey) await submissions.checkNow(requestKey, clock.now());
  }
}

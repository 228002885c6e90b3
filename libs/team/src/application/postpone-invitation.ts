import type { Jobs } from '#kernel';
import type { Invitations } from '../ports/invitations.ts';
import { MailRefused } from '../ports/mail.ts';

const TRY_AGAIN_SECONDS = 600;

/**
 * Decides what becomes of an invitation whose mail could not be sent: it is tried again for as long as the invitation
 * is pending, unless the address was refused for good.
 */
export class PostponeInvitation {
  readonly #invitations: Invitations;
  readonly #jobs: Jobs;

  constructor(invitations: Invitations, jobs: Jobs) {
    this.#invitations = invitations;
    this.#jobs = jobs;
  }

  async run(invitationId: number, error: unknown): Promise<void> {
    if (error instanceof MailRefused) return this.#invitations.recordDelivery(invitationId, 'refused');
    await this.#jobs.announce(
      { name: 'invitation.send', payload: { invitationId } },
      { delaySeconds: TRY_AGAIN_SECONDS },
    );
  }
}

import type { TokenSecrets } from '#identity';
import type { Clock, JobRun } from '#kernel';
import { invitationMail, type AnswerPlaces } from '../domain/invitation-mail.ts';
import type { Invitations } from '../ports/invitations.ts';
import type { Mail } from '../ports/mail.ts';

/**
 * Mails an invitation's token. The token is made here, and nothing but its hash is ever stored; so a repeated mail has
 * a token of its own, which is as good as those before.
 */
export class SendInvitation {
  readonly #invitations: Invitations;
  readonly #mail: Mail;
  readonly #secrets: TokenSecrets;
  readonly #places: AnswerPlaces;
  readonly #clock: Clock;

  constructor(
    invitations: Invitations,
    mail: Mail,
    secrets: TokenSecrets,
    places: AnswerPlaces,
    clock: Clock,
  ) {
    this.#invitations = invitations;
    this.#mail = mail;
    this.#secrets = secrets;
    this.#places = places;
    this.#clock = clock;
  }

  /** Without effect when the invitation is not pending any more. @throws what `Mail.send` throws */
  async run(invitationId: number, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    const token = this.#secrets.create();
    const hash = this.#secrets.hash(token);
    const letter = await this.#invitations.issueToken(invitationId, hash, this.#clock.now());
    if (!letter) return;
    await this.#mail.send(invitationMail(letter, token, this.#places), signal);
    await this.#invitations.recordDelivery(invitationId, 'sent');
  }
}

import type { MailMessage } from '../domain/invitation-mail.ts';

/** This message will never be taken for this address. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  readonly retryable = false;
}

/** The way out for mail. */
export interface Mail {
  /**
   * Hands a message over for delivery. When this fails it is unknown whether the message was handed over, unless it
   * was refused.
   *
   * @param signal aborted when there is no time left for it
   * @throws MailRefused when trying again can't help; DomainError `unavailable` for anything that may pass
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;

  /**
   * Finds out whether mail could be handed over now, without sending any.
   *
   * @throws DomainError `unavailable`, whose message tells why
   */
  check(): Promise<void>;
}

import type { MailMessage } from './domain/message.ts';

/** The mail server rejects this message, or its recipient, permanently. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  readonly retryable = false;
}

/** Outgoing mail. */
export interface Mail {
  /**
   * Hands a message over for delivery. After any other error than `MailRefused` it is unknown whether the message was
   * handed over.
   *
   * @throws MailRefused when a retry can't succeed; DomainError `unavailable` for anything temporary
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;

  /**
   * Checks whether mail could be handed over now, without sending any.
   *
   * @throws DomainError `unavailable`, with the reason as its message
   */
  check(): Promise<void>;
}

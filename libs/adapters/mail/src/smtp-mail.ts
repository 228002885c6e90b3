import { DomainError } from '#kernel';
import { MailRefused, type Mail, type MailMessage } from '#mail';
import { compose, loadNodemailer } from './compose.ts';

export interface SmtpMailOptions {
  /** `smtp://user:password@host:port`, or `smtps://…`; STARTTLS is used wherever the server offers it. */
  readonly url: string;
  /** Sender: an address, or `Name <address>`. */
  readonly from: string;
  /** Timeout of each step. */
  readonly timeoutSeconds?: number;
}

/** Sends mail by an SMTP server, with one connection per message. */
export class SmtpMail implements Mail {
  constructor(private readonly options: SmtpMailOptions) {}

  async send(message: MailMessage, signal?: AbortSignal): Promise<void> {
    const composed = compose(message, this.options.from);
    try {
      await (await this.#transport()).sendMail({ ...composed, ...(signal && { signal }) });
    } catch (error) {
      throw translated(error);
    }
  }

  async check(): Promise<void> {
    try {
      await (await this.#transport()).verify();
    } catch (error) {
      throw translated(error);
    }
  }

  async #transport() {
    const { url, timeoutSeconds = 20 } = this.options;
    const timeout = timeoutSeconds * 1000;
    const timeouts = { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout };
    const { createTransport } = await loadNodemailer();
    return createTransport({ url, dnsTimeout: timeout, ...timeouts });
  }
}

/** A permanent rejection of the recipient or the content is `MailRefused`; every other error is temporary. */
function translated(error: unknown): Error {
  const { command, permanent, message } = error as NodemailerError;
  if (permanent && (command === 'RCPT TO' || command === 'DATA')) {
    return new MailRefused(message, { cause: error });
  }
  return new DomainError('unavailable', `the mail server does not take mail: ${message}`, { cause: error });
}

interface NodemailerError extends Error {
  readonly command?: string;
  readonly permanent?: boolean;
}

import type { Mail, MailMessage } from '../index.ts';

/** Mail that stays where it is handed over, or fails as a test sets it. */
export class MailBox implements Mail {
  readonly sent: MailMessage[] = [];
  failure: Error | null = null;

  async send(message: MailMessage): Promise<void> {
    await this.check();
    this.sent.push(message);
  }

  async check(): Promise<void> {
    if (this.failure) throw this.failure;
  }
}

/** The token that a mail carries, in a link or on a line of its own. */
export function tokenIn({ text }: Pick<MailMessage, 'text'>): string {
  return /(?<=#token=|^)x12_[\w-]+/m.exec(text)![0];
}

import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { ReceivedMail } from '#testing/mail';
import { parseMail } from './parse-mail.ts';

/** The response of the server to a message, its sender or its recipient. */
export type Verdict = { readonly at: 'RCPT TO' | 'DATA' | 'MAIL FROM'; readonly code: number } | 'accept';

export interface SmtpCatcherOptions {
  readonly port?: number;
  readonly user?: { readonly name: string; readonly password: string };
}

/** A real SMTP server that records its messages. */
export class SmtpCatcher {
  readonly received: ReceivedMail[] = [];
  /** Recipients as the envelope names them. */
  readonly recipients: string[] = [];
  verdict: Verdict = 'accept';
  #server: SMTPServer | null = null;
  #port = 0;

  private constructor(private readonly user: SmtpCatcherOptions['user']) {}

  static async start(options: SmtpCatcherOptions = {}): Promise<SmtpCatcher> {
    const catcher = new SmtpCatcher(options.user);
    await catcher.start();
    return catcher;
  }

  get url(): string {
    const credentials = this.user ? `${this.user.name}:${this.user.password}@` : '';
    return `smtp://${credentials}127.0.0.1:${this.#port}`;
  }

  /** Listens, after a stop on the same port. */
  async start(): Promise<void> {
    const server = new SMTPServer({
      authOptional: this.user === undefined,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onAuth: ({ username, password }, _, done) =>
        username === this.user?.name && password === this.user?.password
          ? done(null, { user: username })
          : done(new Error('Invalid username or password')),
      onMailFrom: (_, __, done) => done(this.#refusal('MAIL FROM')),
      onRcptTo: ({ address }, _, done) => {
        this.recipients.push(address);
        done(this.#refusal('RCPT TO'));
      },
      onData: (stream, _, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const refusal = this.#refusal('DATA');
          if (!refusal) this.received.push(parseMail(Buffer.concat(chunks)));
          done(refusal);
        });
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  #refusal(at: string): Error | null {
    if (this.verdict === 'accept' || this.verdict.at !== at) return null;
    return Object.assign(new Error('not now, not here'), { responseCode: this.verdict.code });
  }
}

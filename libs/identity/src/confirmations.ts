import { invalidField, type Clock, type Job, type JobPayloads, type JobRun, type Jobs, type UnitOfWork } from '#kernel';
import { MailRefused, type Mail } from '#mail';
import { confirmationMail, noticeMail, type AccountNotice } from './domain/account-mails.ts';
import { confirmationExpiry, type Confirmation, type ConfirmationPurpose } from './domain/confirmation.ts';
import { emailOf } from './domain/email.ts';
import type { TokenSecret } from './domain/token.ts';
import type { Account } from './domain/user.ts';
import type { AccountStore, ConfirmationStore, TokenSecrets } from './ports.ts';

/** Mailed tokens that prove access to a mailbox. Every method joins the surrounding unit of work. */
export class Confirmations {
  constructor(
    private readonly store: ConfirmationStore,
    private readonly secrets: TokenSecrets,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** Has a token mailed. It replaces an earlier one for the same purpose. */
  async start(request: Pick<Confirmation, 'userId' | 'purpose' | 'email'>): Promise<void> {
    const createdAt = this.clock.now();
    const expiresAt = confirmationExpiry(request.purpose, createdAt);
    const { id } = await this.store.replace({ ...request, createdAt, expiresAt });
    await this.jobs.announce({ name: 'account.mail', payload: { confirmationId: id }, workspaceId: null });
  }

  /**
   * Ends the confirmation with this token. Text that can't be a token is looked up too.
   *
   * @throws DomainError `validation_failed` when the token is unknown, used, replaced or expired
   */
  async redeem(purpose: ConfirmationPurpose, token: string): Promise<Confirmation> {
    const hash = this.secrets.hash(token as TokenSecret);
    const confirmation = await this.store.redeem(purpose, hash, this.clock.now());
    if (!confirmation) throw invalidToken();
    return confirmation;
  }

  cancel(userId: number, purpose: ConfirmationPurpose): Promise<void> {
    return this.store.cancel(userId, purpose);
  }

  /** Ends a change to another address. The confirmation of the present one goes on. */
  cancelEmailChange({ id, email }: Pick<Account, 'id' | 'email'>): Promise<void> {
    return this.store.cancel(id, 'email', email);
  }

  /** Has a notice mailed to the present address of an account. */
  notify({ id: userId, email }: Pick<Account, 'id' | 'email'>, notice: AccountNotice): Promise<void> {
    return this.jobs.announce({ name: 'account.notice', payload: { userId, email, notice }, workspaceId: null });
  }
}

export function invalidToken() {
  return invalidField('token', 'is not valid: it was used, has expired, or a newer mail replaces it');
}

/** A job that mails something of an account. */
type Mailing =
  | Pick<Extract<Job, { name: 'account.mail' }>, 'name' | 'payload'>
  | Pick<Extract<Job, { name: 'account.notice' }>, 'name' | 'payload'>;

const RETRY_SECONDS = 60;

/** The jobs that mail confirmations and notices. */
export class AccountMails {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'find' | 'lock'>;
      readonly confirmations: ConfirmationStore;
      readonly secrets: TokenSecrets;
      readonly mail: Mail;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
      readonly publicUrl: string;
    },
  ) {}

  /**
   * Mails a new token, of which only the hash is stored. A repeated mail has a token of its own; the earlier ones stay
   * valid. Does nothing when the confirmation has ended.
   *
   * @throws what `Mail.send` throws
   */
  async sendConfirmation(confirmationId: number, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    const { confirmations, secrets, mail, clock, publicUrl } = this.deps;
    const token = secrets.create();
    const confirmation = await confirmations.addToken(confirmationId, secrets.hash(token), clock.now());
    if (confirmation) await mail.send(confirmationMail(confirmation, token, publicUrl), signal);
  }

  /** Does nothing when the account is gone. @throws what `Mail.send` throws */
  async sendNotice(
    { userId, email, notice }: JobPayloads['account.notice'],
    { signal }: Pick<JobRun, 'signal'>,
  ): Promise<void> {
    if (!(await this.deps.accounts.find(userId))) return;
    await this.deps.mail.send(noticeMail(emailOf(email), notice as AccountNotice, this.deps.publicUrl), signal);
  }

  /** Tries a failed mail again, unless its address was refused or the account is gone: an erasure leaves no job that names the address. */
  async retry(job: Mailing, error: unknown): Promise<void> {
    if (error instanceof MailRefused) return;
    await this.deps.unitOfWork.run(async () => {
      if (job.name === 'account.notice' && !(await this.deps.accounts.lock(job.payload.userId))) return;
      await this.deps.jobs.announce({ ...job, workspaceId: null }, { delaySeconds: RETRY_SECONDS });
    });
  }
}

import { JobPostponed, type Clock, type Jobs, type JobRun, type UnitOfWork } from '#kernel';
import { MailRefused, type Mail } from '#mail';
import { inboxMail } from './domain/inbox-mail.ts';
import { kindsOf, secondsUntilMail } from './domain/mail-settings.ts';
import type { Inbox } from './inbox.ts';
import type { InboxMailStore, Mailing } from './ports.ts';

const RETRY_SECONDS = 600;

/** Mails people the unread entries of their inbox since the last mail of a series, run by the job `inbox.mail`. */
export class InboxMails {
  constructor(
    private readonly deps: {
      readonly store: InboxMailStore;
      readonly inbox: Pick<Inbox, 'mailSettings'>;
      readonly mail: Mail;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
      /** `null` where there is no console. */
      readonly consoleUrl: string | null;
    },
  ) {}

  /**
   * Hands the mail over, and marks its entries as mailed then. A run that was killed in between is repeated when the
   * next mail of the series may be sent, as the mail may have arrived: nothing is lost, and no mail comes too soon.
   *
   * @throws JobPostponed before an hour, for daily mails a day, has passed since the last mail; what `Mail.send` throws
   */
  async send(mailing: Mailing, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    const begun = await this.#begin(mailing);
    if (!begun) return;
    try {
      await this.deps.mail.send(begun.message, signal);
    } catch (error) {
      if (error instanceof MailRefused) await this.#finish(mailing, begun.entryIds);
      // A run that has lost its job writes nothing.
      else if (!signal.aborted) await this.deps.store.setSentAt(mailing, begun.sentBefore);
      throw error;
    }
    await this.#finish(mailing, begun.entryIds);
  }

  /** Announces a failed job again, unless the address was refused for good. */
  async handleFailure(mailing: Mailing, error: unknown): Promise<void> {
    if (!(error instanceof MailRefused)) await this.#announce(mailing, RETRY_SECONDS);
  }

  #begin(mailing: Mailing) {
    const { store, inbox, unitOfWork, clock, consoleUrl } = this.deps;
    return unitOfWork.run(async () => {
      const now = clock.now();
      const last = await store.lock(mailing);
      if (!last?.isAnnounced) return null;
      const seconds = secondsUntilMail(mailing.series, last.sentAt, now);
      if (seconds > 0) throw new JobPostponed('the last mail was sent too short a time ago', seconds);
      const wanted = kindsOf(mailing.series, await inbox.mailSettings(mailing));
      const news = await store.collect(mailing, wanted);
      const entryIds = news?.entries.map(({ id }) => id) ?? [];
      const digest = news && { series: mailing.series, email: news.email, notices: news.entries };
      const message = digest && inboxMail(digest, consoleUrl);
      if (message) await store.setSentAt(mailing, now);
      else await store.finish(mailing, entryIds);
      return message && { message, entryIds, sentBefore: last.sentAt };
    });
  }

  /**
   * Marks the entries as mailed. Entries that were added while the mail was sent have announced no mail of their own: this
   * announces one.
   */
  #finish(mailing: Mailing, entryIds: readonly number[]): Promise<void> {
    const { store, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      const last = await store.lock(mailing);
      if (!(await store.finish(mailing, entryIds))) return;
      await this.#announce(mailing, secondsUntilMail(mailing.series, last?.sentAt ?? null, clock.now()));
    });
  }

  #announce(payload: Mailing, delaySeconds: number): Promise<void> {
    const { workspaceId } = payload;
    return this.deps.jobs.announce({ name: 'inbox.mail', payload, workspaceId }, { delaySeconds });
  }
}

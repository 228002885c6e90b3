import type { Event, EventConsumer } from '#events';
import { JobPostponed, type Clock, type Jobs, type JobRun, type UnitOfWork } from '#kernel';
import { MailRefused, type Mail } from '#mail';
import { digestMail, secondsUntilMail } from './domain/digest.ts';
import type { Addressee, News, ReviewMailStore } from './ports.ts';

/** Announces mails about comments and decisions. */
export class ReviewNews implements EventConsumer {
  constructor(
    private readonly store: Pick<ReviewMailStore, 'note'>,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async consume(events: readonly Event[]): Promise<void> {
    for (const event of events) {
      const news = newsOf(event);
      if (news) await this.#note(event.workspaceId, Number(event.subjectId), news);
    }
  }

  /** A mail that is announced already will have these news too. */
  async #note(workspaceId: number, boardId: number, news: News): Promise<void> {
    for (const { userId, sentAt } of await this.store.note(boardId, news)) {
      const job = { name: 'review.mail', payload: { boardId, userId }, workspaceId } as const;
      await this.jobs.announce(job, { delaySeconds: secondsUntilMail(sentAt, this.clock.now()) });
    }
  }
}

/** `null` for other events, and for a comment that was deleted meanwhile. */
function newsOf({ type, facts, data }: Event): News | null {
  if (type === 'decision.made') return { kind: 'decision', decisionId: Number(facts['decision_id']) };
  const isComment = type === 'comment.created' || type === 'comment.updated';
  const userIds = isComment && (data['mentions'] as readonly number[] | undefined);
  return userIds ? { kind: 'mention', commentId: Number(facts['comment_id']), userIds } : null;
}

const RETRY_SECONDS = 600;

/** Mails people what happened since their last mail about a board, run by the job `review.mail`. */
export class ReviewMails {
  constructor(
    private readonly deps: {
      readonly store: Omit<ReviewMailStore, 'note'>;
      readonly mail: Mail;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
      /** `null` where there is no console. */
      readonly consoleUrl: string | null;
    },
  ) {}

  /**
   * Hands the mail over, and marks its news as mailed then. A run that was killed in between is repeated after an
   * hour, as the mail may have arrived: nothing is lost, and there is one mail an hour at most.
   *
   * @throws JobPostponed before an hour has passed since the last mail; what `Mail.send` throws
   */
  async send(addressee: Addressee, run: Pick<JobRun, 'signal' | 'workspaceId'>): Promise<void> {
    const begun = await this.#begin(addressee);
    if (!begun) return;
    try {
      await this.deps.mail.send(begun.message, run.signal);
    } catch (error) {
      if (error instanceof MailRefused) await this.#finish(addressee, begun.noticeIds, run);
      // A run that has lost its job writes nothing.
      else if (!run.signal.aborted) await this.deps.store.setSentAt(addressee, begun.sentBefore);
      throw error;
    }
    await this.#finish(addressee, begun.noticeIds, run);
  }

  /** Announces a failed job again, unless the address was refused for good. */
  async handleFailure(
    addressee: Addressee,
    error: unknown,
    { workspaceId }: Pick<JobRun, 'workspaceId'>,
  ): Promise<void> {
    if (error instanceof MailRefused) return;
    const job = { name: 'review.mail', payload: addressee, workspaceId } as const;
    await this.deps.jobs.announce(job, { delaySeconds: RETRY_SECONDS });
  }

  #begin(addressee: Addressee) {
    const { store, unitOfWork, clock, consoleUrl } = this.deps;
    return unitOfWork.run(async () => {
      const now = clock.now();
      const last = await store.lock(addressee);
      if (!last?.isAnnounced) return null;
      const seconds = secondsUntilMail(last.sentAt, now);
      if (seconds > 0) throw new JobPostponed('the last mail was sent within the hour', seconds);
      const news = await store.collectNews(addressee);
      const noticeIds = news?.noticeIds ?? [];
      const message = news && digestMail(news.digest, consoleUrl);
      if (message) await store.setSentAt(addressee, now);
      else await store.finish(addressee, noticeIds);
      return message && { message, noticeIds, sentBefore: last.sentAt };
    });
  }

  /**
   * Marks the news as mailed. News that were noted while the mail was sent have announced no mail of their own: this
   * announces one.
   */
  #finish(addressee: Addressee, noticeIds: readonly number[], { workspaceId }: Pick<JobRun, 'workspaceId'>) {
    const { store, unitOfWork, jobs, clock } = this.deps;
    return unitOfWork.run(async () => {
      const last = await store.lock(addressee);
      if (!(await store.finish(addressee, noticeIds))) return;
      const delaySeconds = secondsUntilMail(last?.sentAt ?? null, clock.now());
      await jobs.announce({ name: 'review.mail', payload: addressee, workspaceId }, { delaySeconds });
    });
  }
}

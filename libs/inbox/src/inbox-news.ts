import type { Event, EventConsumer } from '#events';
import type { Clock, Jobs } from '#kernel';
import { isReview, mailSettingsOf, secondsOfReview, secondsUntilMail, seriesOf } from './domain/mail-settings.ts';
import { recipientsOf, TOPICS, topicOf } from './domain/news.ts';
import type { InboxStore, Mailing, NewEntry } from './ports.ts';

/** Writes the entries of the inbox, and announces the mails about them. Nothing else adds entries. */
export class InboxNews implements EventConsumer {
  constructor(
    private readonly store: Pick<InboxStore, 'audiences' | 'mailSettings' | 'add'>,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async consume(events: readonly Event[]): Promise<void> {
    const found = [];
    for (const topic of TOPICS) {
      const news = events.filter(({ type }) => topicOf(type) === topic);
      if (news.length > 0) found.push(...(await this.store.audiences(topic, news)));
    }
    const entries = found.flatMap(({ event, ...audience }) =>
      recipientsOf(event.type, audience).map((recipient) => ({ event, ...recipient })),
    );
    if (entries.length > 0) await this.#add(entries);
  }

  /** A mail that is announced already will have these entries too. */
  async #add(entries: readonly Omit<NewEntry, 'series'>[]): Promise<void> {
    const chosen = await this.store.mailSettings([...new Set(entries.map(({ userId }) => userId))]);
    const settingsOf = (userId: number) => mailSettingsOf(chosen.get(userId) ?? {});
    const inOrder = entries
      .toSorted((one, other) => one.event.seq - other.event.seq)
      .map((entry) => ({ ...entry, series: seriesOf(settingsOf(entry.userId), entry.kind, entry.event) }));
    const mails = await this.store.add(inOrder);
    for (const { sentAt, ...mailing } of mails) {
      const own = inOrder.filter((each) => each.userId === mailing.userId && each.series === mailing.series);
      const waits = Math.min(...own.map(({ event }) => secondsOfReview(mailing.series, event)));
      await this.#announce(mailing, Math.max(waits, secondsUntilMail(mailing.series, sentAt, this.clock.now())));
    }
    // A mail that waits for the end of a review is sent at the end.
    const isAnnounced = (series: string, userId: number) =>
      mails.some((mail) => mail.userId === userId && mail.series === series);
    for (const { kind, userId, series, event } of inOrder) {
      if (kind !== 'summary' || series === null || !isReview(series) || isAnnounced(series, userId)) continue;
      await this.#announce({ workspaceId: event.workspaceId, userId, series }, 0);
    }
  }

  #announce(payload: Mailing, delaySeconds: number): Promise<void> {
    return this.jobs.announce({ name: 'inbox.mail', payload, workspaceId: payload.workspaceId }, { delaySeconds });
  }
}

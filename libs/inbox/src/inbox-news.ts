import type { Event, EventConsumer } from '#events';
import type { Clock, Jobs } from '#kernel';
import { mailSettingsOf, secondsUntilMail, seriesOf } from './domain/mail-settings.ts';
import { recipientsOf, TOPICS, topicOf } from './domain/news.ts';
import type { InboxStore, NewEntry } from './ports.ts';

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
    const timeOf = ({ userId, kind }: Omit<NewEntry, 'series'>) => mailSettingsOf(chosen.get(userId) ?? {})[kind];
    const inOrder = entries.toSorted((one, other) => one.event.seq - other.event.seq);
    const mails = await this.store.add(
      inOrder.map((entry) => ({ ...entry, series: seriesOf(timeOf(entry), entry.event) })),
    );
    for (const { sentAt, ...payload } of mails) {
      const delaySeconds = secondsUntilMail(payload.series, sentAt, this.clock.now());
      await this.jobs.announce({ name: 'inbox.mail', payload, workspaceId: payload.workspaceId }, { delaySeconds });
    }
  }
}

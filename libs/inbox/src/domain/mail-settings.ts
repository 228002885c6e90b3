import { subjectOf, type Event } from '#events';
import type { InboxKind } from './news.ts';

export const MAIL_TIMES = ['immediate', 'digest', 'off'] as const;
/** When entries are mailed: at once, once a day together with others, or never. */
export type MailTime = (typeof MAIL_TIMES)[number];

export type MailSettings = Readonly<Record<InboxKind, MailTime>>;

const DEFAULTS: MailSettings = {
  mention: 'immediate',
  comment: 'off',
  decision: 'immediate',
  summary: 'immediate',
  share: 'off',
  batch: 'off',
  style: 'off',
  model: 'off',
};

/** @param chosen the settings that the person has changed */
export function mailSettingsOf(chosen: Partial<MailSettings>): MailSettings {
  return { ...DEFAULTS, ...chosen };
}

const DAILY = 'day';

/** The series of mails that has an event: `board:12` about one subject, `day` once a day about all; `null` for none. */
export function seriesOf(time: MailTime, event: Pick<Event, 'type' | 'subjectId'>): string | null {
  if (time === 'off') return null;
  const { type, id } = subjectOf(event);
  return time === 'digest' ? DAILY : `${type}:${id}`;
}

export function isDaily(series: string): boolean {
  return series === DAILY;
}

const HOUR_MS = 3_600_000;

/** @param sentAt when the person got the last mail of the series; `null` for never */
export function secondsUntilMail(series: string, sentAt: Date | null, now: Date): number {
  if (sentAt === null) return 0;
  const intervalMs = isDaily(series) ? 24 * HOUR_MS : HOUR_MS;
  return Math.max(0, Math.ceil((sentAt.getTime() + intervalMs - now.getTime()) / 1000));
}

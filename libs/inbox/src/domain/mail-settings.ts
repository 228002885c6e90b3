import { subjectOf, type Event } from '#events';
import { INBOX_KINDS, type InboxKind } from './news.ts';

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

const REVIEW = 'review';
const HOUR_MS = 3_600_000;

type Told = Pick<Event, 'type' | 'subjectId' | 'facts'>;

/** The link whose guest has said or decided something, or is done; `null` for other events. */
function reviewOf({ type, subjectId, facts }: Told): string | null {
  if (type === 'review.summary') return subjectId;
  const { share_id: shareId = null } = facts;
  return shareId === null ? null : String(shareId);
}

/**
 * The series of mails that has an entry: `board:12` about one subject, `day` once a day about all; `null` for none. What the
 * guests of a link say is mailed with the summary of their review, `review:3`, for people who want one.
 */
export function seriesOf(settings: MailSettings, kind: InboxKind, event: Told): string | null {
  const review = kind === 'mention' || settings.summary === 'off' ? null : reviewOf(event);
  const time = settings[review === null ? kind : 'summary'];
  if (time === 'off') return null;
  if (time === 'digest') return DAILY;
  const { type, id } = subjectOf(event);
  return review === null ? `${type}:${id}` : `${REVIEW}:${review}`;
}

export function isReview(series: string): boolean {
  return series.startsWith(`${REVIEW}:`);
}

/** The kinds of entries that a mail of a series has. */
export function kindsOf(series: string, settings: MailSettings): readonly InboxKind[] {
  if (isReview(series)) return settings.summary === 'off' ? [] : INBOX_KINDS;
  return INBOX_KINDS.filter((kind) => settings[kind] !== 'off');
}

export function isDaily(series: string): boolean {
  return series === DAILY;
}

/** Seconds for which a mail of a series waits: what guests say, for the end of their review, a day at most. */
export function secondsOfReview(series: string, event: Pick<Event, 'type'>): number {
  return isReview(series) && event.type !== 'review.summary' ? (24 * HOUR_MS) / 1000 : 0;
}

/** @param sentAt when the person got the last mail of the series; `null` for never */
export function secondsUntilMail(series: string, sentAt: Date | null, now: Date): number {
  if (sentAt === null) return 0;
  const intervalMs = isDaily(series) ? 24 * HOUR_MS : HOUR_MS;
  return Math.max(0, Math.ceil((sentAt.getTime() + intervalMs - now.getTime()) / 1000));
}

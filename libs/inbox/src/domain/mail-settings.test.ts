import { describe, expect, it } from '@jest/globals';
import {
  kindsOf,
  mailSettingsOf,
  secondsOfReview,
  secondsUntilMail,
  seriesOf,
  type MailTime,
} from './mail-settings.ts';
import { INBOX_KINDS } from './news.ts';

const EVENT = { type: 'decision.made', subjectId: '12', facts: {} } as const;
const BY_GUEST = { ...EVENT, facts: { share_id: 3 } } as const;
const SUMMARY = { type: 'review.summary', subjectId: '3', facts: {} } as const;

describe('mails about the inbox', () => {
  it('tell of mentions and decisions at once, and of nothing else, unless a person chooses so', () => {
    const settings = mailSettingsOf({});
    expect(INBOX_KINDS.filter((kind) => settings[kind] !== 'off')).toEqual(['mention', 'decision', 'summary']);
    expect(mailSettingsOf({ batch: 'digest', mention: 'off' })).toEqual({
      ...settings,
      ...{ batch: 'digest', mention: 'off' },
    });
  });

  it('come in one series for each subject, or in one series of all subjects', () => {
    const series = (decision: MailTime) => seriesOf(mailSettingsOf({ decision }), 'decision', EVENT);
    expect([series('immediate'), series('digest'), series('off')]).toEqual(['board:12', 'day', null]);
    const gone = { type: 'model.gone', subjectId: 'old:1', facts: {} } as const;
    expect(seriesOf(mailSettingsOf({ model: 'immediate' }), 'model', gone)).toBe('model:old:1');
  });

  it('have what the guests of a link say with the summary of their review, for people who want that', () => {
    const series = (summary: MailTime, decision: MailTime = 'immediate') => [
      seriesOf(mailSettingsOf({ summary, decision }), 'decision', BY_GUEST),
      seriesOf(mailSettingsOf({ summary }), 'comment', { ...BY_GUEST, type: 'comment.created' }),
      seriesOf(mailSettingsOf({ summary }), 'summary', SUMMARY),
    ];
    expect(series('immediate', 'off')).toEqual(['review:3', 'review:3', 'review:3']);
    expect(series('digest')).toEqual(['day', 'day', 'day']);
    expect(series('off')).toEqual(['board:12', null, null]);
    expect(kindsOf('review:3', mailSettingsOf({}))).toEqual(INBOX_KINDS);
    expect(kindsOf('review:3', mailSettingsOf({ summary: 'off' }))).toEqual([]);
    expect(kindsOf('board:12', mailSettingsOf({ decision: 'off' }))).toEqual(['mention', 'summary']);
    const waits = [BY_GUEST, SUMMARY].map((event) => secondsOfReview('review:3', event));
    expect([...waits, secondsOfReview('board:12', BY_GUEST)]).toEqual([86_400, 0, 0]);
  });

  const sentAt = new Date('2026-03-14T10:00:00.000Z');
  it.each([
    ['board:3', null, '2026-03-14T10:00:00.000Z', 0],
    ['board:3', sentAt, '2026-03-14T10:00:00.000Z', 3600],
    ['board:3', sentAt, '2026-03-14T10:59:59.999Z', 1],
    ['board:3', sentAt, '2026-03-14T11:00:00.000Z', 0],
    ['board:3', sentAt, '2026-03-15T11:00:00.000Z', 0],
    ['day', null, '2026-03-14T10:00:00.000Z', 0],
    ['day', sentAt, '2026-03-15T09:59:59.999Z', 1],
    ['day', sentAt, '2026-03-15T10:00:00.000Z', 0],
  ])('come once an hour about a subject, once a day about all: %s after %s, at %s, in %d s', (series, last, now, s) => {
    expect(secondsUntilMail(series, last, new Date(now))).toBe(s);
  });
});

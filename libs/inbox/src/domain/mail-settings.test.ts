import { describe, expect, it } from '@jest/globals';
import { mailSettingsOf, secondsUntilMail, seriesOf } from './mail-settings.ts';
import { INBOX_KINDS } from './news.ts';

const EVENT = { type: 'decision.made', subjectId: '12' } as const;

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
    expect(seriesOf('immediate', EVENT)).toBe('board:12');
    expect(seriesOf('immediate', { type: 'model.gone', subjectId: 'old:1' })).toBe('model:old:1');
    expect(seriesOf('digest', EVENT)).toBe('day');
    expect(seriesOf('off', EVENT)).toBeNull();
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

import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, type EventType } from '#events';
import { recipientsOf, topicOf } from './news.ts';

const [ADA, GRACE, LINUS] = [1, 2, 3] as const;
const kindsOf = (type: EventType, mentioned: number[], concerned: number[], actorId: number | null = null) =>
  recipientsOf(type, { actorId, mentioned, concerned });

describe('the inbox', () => {
  it.each<[EventType, string]>([
    ['comment.created', 'comment'],
    ['decision.made', 'decision'],
    ['share.opened', 'share'],
    ['batch.ended', 'batch'],
    ['style.ready', 'style'],
    ['style.failed', 'style'],
    ['model.retiring', 'model'],
    ['model.gone', 'model'],
  ])('tells people of %s by the kind %s', (type, kind) => {
    expect(kindsOf(type, [], [ADA])).toEqual([{ userId: ADA, kind }]);
  });

  it('tells nobody of other events, which cost nothing', () => {
    const told = EVENT_TYPES.filter((type) => topicOf(type) !== null);
    expect(EVENT_TYPES.filter((type) => kindsOf(type, [ADA], [ADA]).length > 0)).toEqual(told);
    expect(told).not.toContain('generation.succeeded');
  });

  it('has one entry about an event for a person, and a mention goes before a comment', () => {
    expect(kindsOf('comment.created', [GRACE, GRACE], [ADA, GRACE, ADA])).toEqual([
      { userId: ADA, kind: 'comment' },
      { userId: GRACE, kind: 'mention' },
    ]);
  });

  it('tells nobody what they did themselves', () => {
    expect(kindsOf('decision.made', [], [ADA], ADA)).toEqual([]);
    expect(kindsOf('comment.created', [ADA, LINUS], [ADA], ADA)).toEqual([{ userId: LINUS, kind: 'mention' }]);
  });

  it('tells of a changed comment only those whom it mentions', () => {
    expect(kindsOf('comment.updated', [GRACE], [ADA])).toEqual([{ userId: GRACE, kind: 'mention' }]);
  });
});

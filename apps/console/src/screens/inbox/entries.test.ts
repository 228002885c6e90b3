import { describe, expect, it } from '@jest/globals';
import { daysOf, placeOf, sentenceOf, type Entry } from './entries.ts';

const NOW = new Date(2026, 2, 14, 9);
const entry = (part: Partial<Entry> & { readonly type?: string; readonly subject?: number | string }): Entry => {
  const { type = 'comment.created', subject = 3, ...more } = part;
  const event = { type, subject: { type: 'board', id: subject } } as never;
  const facts = {
    title: 'Summer',
    item: null,
    author: 'Mia',
    verdict: null,
    board_id: 3,
    folder_id: null,
    media_id: 31,
  };
  return { id: 1, kind: 'comment', created_at: NOW.toISOString(), event, ...facts, ...more } as Entry;
};

describe('an entry of the inbox', () => {
  it.each<[Parameters<typeof entry>[0], readonly [string | null, string]]>([
    [{ kind: 'mention' }, ['Mia', 'mentioned you on “Summer”']],
    [{ author: ' ' }, ['Somebody', 'commented on “Summer”']],
    [{ kind: 'decision', verdict: 'changes_requested' }, ['Mia', 'asked for changes of “Summer”']],
    [{ kind: 'decision', verdict: 'approved', item: 'red fox' }, ['Mia', 'approved “red fox”']],
    [{ kind: 'decision', verdict: 'none' }, ['Mia', 'took back a decision about “Summer”']],
    [{ kind: 'style', type: 'style.failed' }, [null, 'Your style “Summer” could not be trained']],
  ])('is a sentence: %j', (part, sentence) => {
    expect(sentenceOf(entry(part))).toEqual(sentence);
  });

  it.each<[Parameters<typeof entry>[0], object]>([
    [{ folder_id: 4 }, { to: '/boards/$boardId', params: { boardId: '3' }, search: { folder: 4, media: 31 } }],
    [{ kind: 'share', media_id: null, board_id: null }, { to: '/boards' }],
    [
      { kind: 'batch', subject: 9 },
      { to: '/batches/$batchId', params: { batchId: '9' } },
    ],
    [
      { kind: 'style', persona_id: 6 },
      { to: '/personas/$personaId', params: { personaId: '6' } },
    ],
    [
      { kind: 'model', subject: 'fluw' },
      { to: '/generate', search: { model: 'fluw' } },
    ],
  ])('leads to what it is about: %j', (part, place) => {
    expect(placeOf(entry(part))).toEqual(place);
  });

  it('stands below its day, in the zone of the reader', () => {
    const at = (...time: [number, number, number, number]) => entry({ created_at: new Date(...time).toISOString() });
    const [late, early, before, old] = [at(2026, 2, 14, 8), at(2026, 2, 14, 0), at(2026, 2, 13, 23), at(2026, 2, 2, 9)];
    expect(daysOf([late, early, before, old], NOW)).toEqual([
      ['Today', [late, early]],
      ['Yesterday', [before]],
      ['Monday, March 2', [old]],
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { BoardNews, type BoardEvent } from './board-news.ts';
import type { BoardChange } from './ports.ts';

const change = (version: number | null, review: BoardChange['review'] = null): BoardChange => ({ version, review });

/** The events that a reader gets who reads these changes at once; the board is deleted then. */
async function eventsOf(shown: number | null, ...changes: BoardChange[]): Promise<BoardEvent[]> {
  const news = new BoardNews(shown);
  for (const each of changes) news.put(each);
  const events: BoardEvent[] = [];
  for await (const event of news.events()) {
    events.push(event);
    news.end();
  }
  return events;
}

describe('the news of a board', () => {
  it('are its latest version, in whichever order signals and reads come', async () => {
    expect(await eventsOf(3, change(5), change(4))).toEqual([{ name: 'changed', version: 5 }]);
    expect(await eventsOf(null, change(3))).toEqual([{ name: 'changed', version: 3 }]);
  });

  it('are each item that was reviewed, once for comments and once for decisions', async () => {
    const reviews = (['comment', 'comment', 'decision'] as const).map((kind) => ({ kind, mediaId: 7 }));
    const other = { kind: 'comment', mediaId: 8 } as const;
    const changes = [...reviews, other].map((review, index) => change(index + 4, review));
    expect(await eventsOf(3, ...changes)).toEqual([
      { name: 'changed', version: 7 },
      { name: 'comment', version: 7, mediaId: 7 },
      { name: 'decision', version: 7, mediaId: 7 },
      { name: 'comment', version: 7, mediaId: 8 },
    ]);
  });

  it('end with the board', async () => {
    expect(await eventsOf(3, change(4), change(null))).toEqual([]);
  });
});

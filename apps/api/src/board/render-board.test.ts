import { describe, expect, it } from '@jest/globals';
import { NO_CUSTOM_DATA } from '#kernel';
import type { MediaView, WholeBoard } from '#board';
import { NOTHING_SEEN } from '#files';
import { plainUrlsAt } from '#testing/files';
import { renderBoard, SLICE } from './render-board.ts';
import type { Shown } from './shown-media.ts';

const SHOWN: Shown = {
  urls: plainUrlsAt('https://files.example.com/x'),
  reviews: new Map([[1, { isOpen: false, earlier: [], decision: 'approved', commentsCount: 2 }]]),
};

function aBoard(mediaCount: number): WholeBoard {
  const media = Array.from({ length: mediaCount }, (_, index): MediaView => ({
    id: mediaCount - index,
    folderId: 3,
    ...{ place: -7, rating: 4, tags: ['dawn'] },
    extras: '{"a": "]}}"}',
    state: 'processed',
    error: null,
    fileKey: 'files/token/Näh "1".png',
    controlImageKey: null,
    contentType: 'image/png',
    name: 'Näh "1"',
    source: null,
    ...NOTHING_SEEN,
    ...{ width: 3, height: 4, placeholder: 'AAAA' },
    thumbnails: [{ key: 'files/token/t-320.webp', width: 3, height: 4 }],
    createdAt: new Date('2026-11-21T10:00:00.123Z'),
  }));
  const folders = [{ id: 3, name: ']}}', parentId: null }];
  const createdAt = new Date('2026-11-20T10:00:00Z');
  const board = { id: 7, name: 'Summer', foldersCount: 1, mediaCount, ...NO_CUSTOM_DATA, createdAt };
  const note = {
    id: 2,
    boardId: 7,
    folderId: null,
    text: ']}}',
    place: 1,
    createdBy: 9,
    createdAt,
    updatedAt: createdAt,
  };
  return { ...board, version: 5, folders, media, notes: [note] };
}

describe('a rendered board', () => {
  it.each([0, 1, SLICE, SLICE + 1, 2 * SLICE + 1])('has each of its %i media once, in their order', async (count) => {
    expect(JSON.parse(await renderBoard(aBoard(count), SHOWN))).toEqual({
      status: true,
      board: {
        id: 7,
        name: 'Summer',
        folders_count: 1,
        media_count: count,
        customer: null,
        metadata: null,
        created_at: '2026-11-20T10:00:00.000Z',
        folders: [{ id: 3, name: ']}}', parent_id: null }],
        notes: [
          {
            ...{ id: 2, board_id: 7, folder_id: null, text: ']}}', place: 1, created_by: 9 },
            ...{ created_at: '2026-11-20T10:00:00.000Z', updated_at: '2026-11-20T10:00:00.000Z' },
          },
        ],
        media: Array.from({ length: count }, (_, index) => ({
          id: count - index,
          name: 'Näh "1"',
          url: 'https://files.example.com/x/files/token/N%C3%A4h%20%221%22.png',
          control_image: null,
          folder_id: 3,
          place: -7,
          rating: 4,
          tags: ['dawn'],
          extras: '{"a": "]}}"}',
          state: 'processed',
          error: null,
          width: 3,
          height: 4,
          duration: null,
          content_type: 'image/png',
          placeholder: 'AAAA',
          thumbnails: [{ url: 'https://files.example.com/x/files/token/t-320.webp', width: 3, height: 4 }],
          ...(index === count - 1
            ? { decision: 'approved', comments_count: 2 }
            : { decision: 'none', comments_count: 0 }),
          ...{ changes_open: false, version: 1, versions: [count - index] },
          created_at: '2026-11-21T10:00:00.123Z',
        })),
      },
    });
  });

  it('gives other requests their turn after each thousand of its media', async () => {
    let turns = 0;
    let isRendering = true;
    const takeTurns = (): void => void (isRendering && setImmediate(() => (turns++, takeTurns())));
    takeTurns();
    await renderBoard(aBoard(5 * SLICE), SHOWN);
    isRendering = false;
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});

import { expect, it } from '@jest/globals';
import type { MediaDto, NoteDto, WholeBoardDto } from '#client';
import { type Change, withChange } from './changes.ts';

const media = [1, 2, 3].map((id) => ({ id, folder_id: null, state: 'failed', error: 'url_timeout' })) as MediaDto[];
const folders = [{ id: 7, name: 'Drafts', parent_id: null }];
const notes = [{ id: -1, folder_id: null, place: 5 }, { id: -2 }] as NoteDto[];
const board = { id: 1, folders, media, notes } as unknown as WholeBoardDto;

it('shows moved, deleted, ordered, retried and renamed items and notes before the service confirms', () => {
  const changes: readonly Change[] = [
    { kind: 'move', ids: new Set([1, 2, -1]), folderId: 7 },
    { kind: 'delete', ids: new Set([2, -2]) },
    {
      kind: 'order',
      places: new Map([
        [1, 6],
        [-1, 7],
      ]),
    },
    { kind: 'retry', ids: new Set([3]) },
    { kind: 'item', id: 1, part: { name: 'Lake' } },
    { kind: 'folder', id: 7, part: { name: 'Finals' } },
  ];
  const changed = changes.reduce(withChange, board);
  expect(changed.media).toMatchObject([
    { id: 1, folder_id: 7, name: 'Lake', place: 6 },
    { id: 3, folder_id: null, state: 'created', error: null },
  ]);
  expect(changed.notes).toEqual([{ id: -1, folder_id: 7, place: 7 }]);
  expect(changed.folders).toMatchObject([{ id: 7, name: 'Finals', parent_id: null }]);
});

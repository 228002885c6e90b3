import { describe, expect, it } from '@jest/globals';
import { NOTHING_SEEN } from '#files';
import { guestItemOf, playedKey, type SharedItem } from './shared-item.ts';
import type { Allowance } from './share.ts';

const picture = (key: string) => ({ key, width: 3, height: 2 });
const ITEM: SharedItem = {
  ...{ id: 1, boardId: 2, folderId: 3, kind: 'picture', name: 'fox.png', key: 'files/original' },
  ...NOTHING_SEEN,
  ...{ contentType: 'image/png', width: 30, height: 20, placeholder: 'AAAA' },
  thumbnails: [picture('files/plain')],
  marked: {
    ...NOTHING_SEEN,
    ...picture('files/whole'),
    contentType: 'image/webp',
    thumbnails: [picture('files/marked')],
  },
  ...{ isMarked: true, clipKey: null, digitalSource: null },
  ...{ decision: 'approved', commentsCount: 4, earlier: [] },
};
const seen = (item: SharedItem, watermark: string | null, ...allow: Allowance[]) =>
  guestItemOf(item, { allow, watermark, label: null });

describe('what a guest gets of an item', () => {
  it('has the original only if it may be downloaded and there is no watermark', () => {
    expect(seen(ITEM, null).originalKey).toBeNull();
    expect(seen(ITEM, null, 'comment', 'decide').originalKey).toBeNull();
    expect(seen(ITEM, null, 'download').originalKey).toBe('files/original');
    expect(seen(ITEM, 'Draft', 'download').originalKey).toBeNull();
  });

  it('has no unmarked file with a watermark, also while the marked pictures are being made', () => {
    const all = ['download', 'comment', 'decide'] as const;
    for (const item of [ITEM, { ...ITEM, marked: null, isMarked: false }, { ...ITEM, marked: null }]) {
      expect(JSON.stringify(seen(item, 'Draft', ...all))).not.toMatch(/files\/(original|plain)|AAAA/);
    }
    expect(seen(ITEM, 'Draft')).toMatchObject({ isPrepared: true, thumbnails: [picture('files/marked')] });
    const waiting = { ...ITEM, marked: null, isMarked: false };
    expect(seen(waiting, 'Draft')).toMatchObject({ isPrepared: false, thumbnails: [] });
    expect(seen({ ...waiting, isMarked: true }, 'Draft')).toMatchObject({ isPrepared: true, thumbnails: [] });
    expect(seen(waiting, null)).toMatchObject({ isPrepared: true, thumbnails: [picture('files/plain')] });
  });

  it('has no file without its label, as with a watermark', () => {
    const terms = { allow: ['download'], watermark: null, label: 'AI-generated' } as const;
    const film = { ...ITEM, kind: 'video', clipKey: null } as const;
    for (const item of [ITEM, film, { ...ITEM, marked: null, isMarked: false }]) {
      expect(JSON.stringify(guestItemOf(item, terms))).not.toMatch(/files\/(original|plain)|AAAA/);
    }
    expect(guestItemOf(ITEM, terms)).toMatchObject({ isPrepared: true, thumbnails: [picture('files/marked')] });
    expect(guestItemOf({ ...ITEM, isMarked: false }, terms).isPrepared).toBe(false);
    expect(playedKey(film, terms)).toBeNull();
  });

  it('plays the clip of a video, and the original only if it may be downloaded or no clip can be made', () => {
    const film = { ...ITEM, kind: 'video', clipKey: 'files/clip' } as const;
    const unmade = { ...film, clipKey: null };
    const waiting = { ...unmade, isMarked: false };
    const played = (item: SharedItem, watermark: string | null, ...allow: Allowance[]) =>
      playedKey(item, { watermark, label: null, allow });
    expect([film, unmade, waiting].map((each) => played(each, null))).toEqual(['files/clip', 'files/original', null]);
    expect([film, waiting].map((each) => played(each, null, 'download'))).toEqual(Array(2).fill('files/original'));
    for (const allow of [[], ['download']] as Allowance[][]) {
      expect([film, unmade, waiting].map((each) => played(each, 'Draft', ...allow))).toEqual([
        'files/clip',
        null,
        null,
      ]);
    }
    expect(played(ITEM, null)).toBeNull();
    expect(seen(film, null)).toMatchObject({ isPlayable: true, originalKey: null });
    expect(JSON.stringify(seen(film, 'Draft'))).not.toMatch(/files\/(original|clip)/);
  });

  it('is being prepared while a copy that it needs is not made', () => {
    const waiting = { ...ITEM, kind: 'video', isMarked: false } as const;
    expect(seen(waiting, null)).toMatchObject({ isPrepared: false, isPlayable: false });
    expect(seen(waiting, null, 'download')).toMatchObject({ isPrepared: true, isPlayable: true });
    expect(seen({ ...waiting, isMarked: true }, null).isPrepared).toBe(true);
  });

  it('tells of the review only as far as the guest takes part in it', () => {
    expect(seen(ITEM, null)).toMatchObject({ decision: 'none', commentsCount: 0 });
    expect(seen(ITEM, null, 'comment')).toMatchObject({ decision: 'none', commentsCount: 4 });
    expect(seen(ITEM, null, 'decide')).toMatchObject({ decision: 'approved', commentsCount: 0 });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { MediaDto } from '../../api/index.ts';
import { withOpen } from './use-with-open.ts';

const item = (id: number, folder_id: number | null = null) => ({ id, folder_id }) as MediaDto;
const [one, two, three] = [item(1), item(2), item(3)];
const idsOf = ({ media }: { readonly media: readonly MediaDto[] }) => media.map(({ id }) => id);

describe('the items of the viewer', () => {
  it('are those that are shown', () => {
    const shown = [one, two, three];
    expect(withOpen(shown, shown, 2, { item: two, index: 1 }).media).toBe(shown);
    expect(withOpen(shown, shown, null, { item: item(9), index: 1 }).media).toBe(shown);
  });

  it('keep the open one where it was, as it is now, when it is moved or hidden', () => {
    const moved = item(2, 7);
    const kept = withOpen([one, three], [one, moved, three], 2, { item: two, index: 1 });
    expect([kept.media[1], idsOf(kept), kept.isGone]).toEqual([moved, [1, 2, 3], false]);
  });

  it('have the newer version in place of the open one, also where a filter hides it', () => {
    const newer = { ...item(9), versions: [2, 9] };
    const kept = withOpen([one, three], [one, newer, three], 9, { item: two, index: 1 });
    expect([kept.media[1], idsOf(kept), kept.isGone]).toEqual([newer, [1, 9, 3], false]);
  });

  it('keep the open one when it is deleted, and say so', () => {
    const kept = withOpen([one, three], [one, three], 2, { item: two, index: 1 });
    expect([idsOf(kept), kept.isGone]).toEqual([[1, 2, 3], true]);
    expect(idsOf(withOpen([], [], 2, { item: two, index: 4 }))).toEqual([2]);
  });

  it('have no item that was never shown, or that is no longer open', () => {
    expect(idsOf(withOpen([one], [one], 2, null))).toEqual([1]);
    expect(idsOf(withOpen([one], [one], 2, { item: three, index: 0 }))).toEqual([1]);
  });
});

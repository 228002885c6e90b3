import type { MediaKind } from '#board';
import type { Picture } from '#files';
import type { Verdict } from '#review';
import type { Share } from './share.ts';

/** A media item of a share, with everything that is known of it here. */
export interface SharedItem extends Picture {
  readonly id: number;
  readonly boardId: number;
  /** A folder of the share; `null` at its root. */
  readonly folderId: number | null;
  readonly kind: MediaKind;
  /**
   * Picture with the watermark of the share (of a video or 3D model: its preview); `null` until and unless it is made.
   */
  readonly marked: Omit<Picture, 'name'> | null;
  /** True if the marked picture is made, or can't be. */
  readonly isMarked: boolean;
  readonly decision: Verdict;
  readonly commentsCount: number;
  /** Ids of the versions that it has replaced, the first first. */
  readonly earlier: readonly number[];
}

/** An item as a guest gets it. */
export interface GuestItem extends Omit<SharedItem, 'boardId' | 'key' | 'contentType' | 'marked' | 'isMarked'> {
  /** False while the pictures with the watermark are being made. */
  readonly isPrepared: boolean;
  /** The original; `null` unless it may be downloaded. */
  readonly originalKey: string | null;
  /** True if it is a video that guests play, also where they may not download it. */
  readonly isPlayable: boolean;
}

/** Videos have no watermark: where pictures have one, they aren't played. */
export function isPlayable({ kind }: Pick<SharedItem, 'kind'>, { watermark }: Pick<Share, 'watermark'>): boolean {
  return kind === 'video' && watermark === null;
}

/**
 * An item as a guest of a share gets it. With a watermark nothing of it leads to an unmarked file. Without `comment`
 * and `decide` the guest learns nothing of the review.
 */
export function guestItemOf(item: SharedItem, { allow, watermark }: Pick<Share, 'allow' | 'watermark'>): GuestItem {
  const { boardId: _, key, contentType: __, marked, isMarked, ...shown } = item;
  const hasWatermark = watermark !== null;
  return {
    ...shown,
    isPrepared: !hasWatermark || isMarked,
    originalKey: allow.includes('download') && !hasWatermark ? key : null,
    isPlayable: isPlayable(item, { watermark }),
    placeholder: hasWatermark ? null : item.placeholder,
    thumbnails: hasWatermark ? (marked?.thumbnails ?? []) : item.thumbnails,
    decision: allow.includes('decide') ? item.decision : 'none',
    commentsCount: allow.includes('comment') ? item.commentsCount : 0,
  };
}

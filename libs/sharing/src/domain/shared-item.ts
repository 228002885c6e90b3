import type { MediaKind } from '#board';
import type { Picture } from '#files';
import type { Verdict } from '#review';
import { hasOverlay, type Share } from './share.ts';

/** A media item of a share, with everything that is known of it here. */
export interface SharedItem extends Picture {
  readonly id: number;
  readonly boardId: number;
  /** A folder of the share; `null` at its root. */
  readonly folderId: number | null;
  readonly kind: MediaKind;
  /** The digital source type of an output, a URI; `null` for other files. */
  readonly digitalSource: string | null;
  /**
   * Picture with the texts of the share over it (of a video or 3D model: its preview); `null` until and unless it is made.
   */
  readonly marked: Omit<Picture, 'name'> | null;
  /** True if the marked picture and the clip are made, or can't be. */
  readonly isMarked: boolean;
  /** The clip of a video for guests: smaller, with the texts of the share; `null` until and unless it is made. */
  readonly clipKey: string | null;
  readonly decision: Verdict;
  readonly commentsCount: number;
  /** Ids of the versions that it has replaced, the first first. */
  readonly earlier: readonly number[];
}

/** An item as a guest gets it. */
export interface GuestItem extends Omit<
  SharedItem,
  'boardId' | 'key' | 'contentType' | 'marked' | 'isMarked' | 'clipKey'
> {
  /** False while the pictures with the watermark or label, or the clip, are being made. */
  readonly isPrepared: boolean;
  /** The original; `null` unless it may be downloaded. */
  readonly originalKey: string | null;
  /** True if it is a video that guests play, also where they may not download it. */
  readonly isPlayable: boolean;
}

type Terms = Pick<Share, 'allow' | 'watermark' | 'label'>;

/** The original leaves only where it may be downloaded and nothing has to be put over it. */
const givesOriginal = (terms: Terms) => terms.allow.includes('download') && !hasOverlay(terms);

/**
 * Reports whether guests get a copy of an item instead of its original: of each item of a share with a watermark or a
 * label, else of videos that may not be downloaded.
 */
export function needsCopy({ kind }: Pick<SharedItem, 'kind'>, terms: Terms): boolean {
  return hasOverlay(terms) || (kind === 'video' && !givesOriginal(terms));
}

/**
 * The key of the video that guests play: the original or its clip. Where no clip can be made the original is played, unless
 * it had to have a watermark or label.
 */
export function playedKey(
  { kind, key, clipKey, isMarked }: Pick<SharedItem, 'kind' | 'key' | 'clipKey' | 'isMarked'>,
  terms: Terms,
): string | null {
  if (kind !== 'video') return null;
  if (givesOriginal(terms) || (isMarked && clipKey === null && !hasOverlay(terms))) return key;
  return clipKey;
}

/**
 * An item as a guest of a share gets it. With a watermark or label nothing of it leads to an unmarked file. Without
 * `comment` and `decide` the guest learns nothing of the review.
 */
export function guestItemOf(item: SharedItem, terms: Terms): GuestItem {
  const { boardId: _, key, contentType: __, marked, isMarked, clipKey: ___, ...shown } = item;
  const { allow } = terms;
  const isCopy = hasOverlay(terms);
  return {
    ...shown,
    isPrepared: isMarked || !needsCopy(item, terms),
    originalKey: givesOriginal(terms) ? key : null,
    isPlayable: playedKey(item, terms) !== null,
    placeholder: isCopy ? null : item.placeholder,
    thumbnails: isCopy ? (marked?.thumbnails ?? []) : item.thumbnails,
    decision: allow.includes('decide') ? item.decision : 'none',
    commentsCount: allow.includes('comment') ? item.commentsCount : 0,
  };
}

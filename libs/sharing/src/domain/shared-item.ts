import type { MediaKind } from '#board';
import type { Verdict } from '#review';
import type { Share } from './share.ts';

/** A picture in the storage. */
export interface StoredPicture {
  readonly key: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The pictures with the watermark of a share; a video and a 3D model have those of their preview. */
export interface MarkedPictures {
  /** Of the size of the picture; `null` where nothing could be made. */
  readonly whole: StoredPicture | null;
  readonly thumbnails: readonly StoredPicture[];
}

/** A media item of a share, with everything that is known of it here. */
export interface SharedItem {
  readonly id: number;
  readonly boardId: number;
  /** A folder of the share; `null` at its root. */
  readonly folderId: number | null;
  readonly kind: MediaKind;
  /** The file name. */
  readonly name: string;
  readonly fileKey: string;
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly thumbnails: readonly StoredPicture[];
  /** `null` until they are made. */
  readonly marked: MarkedPictures | null;
  readonly decision: Verdict;
  readonly commentsCount: number;
}

/** What a guest gets of an item. */
export interface GuestItem extends Pick<
  SharedItem,
  'id' | 'folderId' | 'kind' | 'name' | 'width' | 'height' | 'duration' | 'decision' | 'commentsCount'
> {
  /** False while the pictures with the watermark are being made. */
  readonly isPrepared: boolean;
  /** The original; `null` unless it may be downloaded. */
  readonly originalKey: string | null;
  /** Whether it is a video that guests play, also where they may not download it. */
  readonly isPlayable: boolean;
  readonly thumbnails: readonly StoredPicture[];
}

/** Videos have no watermark: where pictures have one, they aren't played. */
export function isPlayable({ kind }: Pick<SharedItem, 'kind'>, { watermark }: Pick<Share, 'watermark'>): boolean {
  return kind === 'video' && watermark === null;
}

/**
 * What a guest of a share gets of an item. With a watermark nothing of it leads to an unmarked file. Without `comment` and
 * `decide` the guest learns nothing of the review.
 */
export function guestItemOf(item: SharedItem, { allow, watermark }: Pick<Share, 'allow' | 'watermark'>): GuestItem {
  const { id, folderId, kind, name, width, height, duration } = item;
  const isMarked = watermark !== null;
  return {
    ...{ id, folderId, kind, name, width, height, duration },
    isPrepared: !isMarked || item.marked !== null,
    originalKey: allow.includes('download') && !isMarked ? item.fileKey : null,
    isPlayable: isPlayable(item, { watermark }),
    thumbnails: isMarked ? (item.marked?.thumbnails ?? []) : item.thumbnails,
    decision: allow.includes('decide') ? item.decision : 'none',
    commentsCount: allow.includes('comment') ? item.commentsCount : 0,
  };
}

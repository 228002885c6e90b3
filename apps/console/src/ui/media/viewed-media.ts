import { type Source, stageSteps } from '../../file-url.ts';
import { mediaKind, type MediaKind, type StoredMedia } from '../media.ts';

/** An item of the viewer: an output, a media item of a board, a picture of a slot. */
export interface ViewedMedia extends Omit<StoredMedia, 'url'> {
  /** Unique in the viewer. */
  readonly id: string | number;
  /** Shown above the item, and read by screen readers. */
  readonly name: string;
  /** Null while there is no file. */
  readonly url: string | null;
}

/** Pictures that browsers can't decode. */
const UNSHOWABLE = 'image/tiff';

/** The kind of an item. An item without a content type, such as one at a web address, is tried as a picture. */
export function kindOf({ content_type }: ViewedMedia): MediaKind {
  return content_type === null ? 'picture' : mediaKind(content_type);
}

/** The largest thumbnail. */
export function previewOf({ thumbnails }: ViewedMedia): string | null {
  return thumbnails?.at(-1)?.url ?? null;
}

/** The URL of a picture that browsers can show. */
export function pictureOf(media: ViewedMedia): string | null {
  return media.content_type === UNSHOWABLE ? previewOf(media) : media.url;
}

/**
 * The picture for the whole window; of one that is much larger than the screen, a variant that fills it. Null for a picture
 * that browsers can't show.
 *
 * @param side pixels of the longer side of the screen
 */
export function stageSource(
  media: ViewedMedia,
  side = Math.max(innerWidth, innerHeight) * devicePixelRatio,
  origin?: string,
): Source | null {
  const url = pictureOf(media);
  if (url === null) return null;
  const length = Math.max(media.width ?? 0, media.height ?? 0);
  const step = url === media.url && stageSteps(url, length, origin).find((each) => each >= side);
  return { url, variant: step ? { width: step, height: step } : null };
}

/** The id of the next item, at the end of the last one: it is opened when an item goes. Null if there is no other. */
export function besideOf<Id>(items: readonly { readonly id: Id }[], id: Id): Id | null {
  const at = items.findIndex((each) => each.id === id);
  return (items[at + 1] ?? items[at - 1])?.id ?? null;
}

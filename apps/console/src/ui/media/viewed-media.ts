import { mediaKind, type MediaKind, type StoredMedia } from '../media.ts';

/** A file of the service as it is looked at: an output, a media of a board, a slot's picture. */
export interface ViewedMedia extends Omit<StoredMedia, 'url'> {
  /** Tells it from the others beside it. */
  readonly id: string | number;
  /** Said to those who can't see it, and shown above it. */
  readonly name: string;
  /** Null while it is not there. */
  readonly url: string | null;
}

/** Pictures that browsers can't decode. */
const UNSHOWABLE = 'image/tiff';

/** What has no type, such as a file elsewhere, is tried as a picture. */
export function kindOf({ content_type }: ViewedMedia): MediaKind {
  return content_type === null ? 'picture' : mediaKind(content_type);
}

/** The largest thumbnail. */
export function previewOf({ thumbnails }: ViewedMedia): string | null {
  return thumbnails?.at(-1)?.url ?? null;
}

/** The URL of a picture as browsers can show it. */
export function pictureOf(media: ViewedMedia): string | null {
  return media.content_type === UNSHOWABLE ? previewOf(media) : media.url;
}

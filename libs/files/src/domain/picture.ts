/** A smaller picture of a picture or video, a stored WebP. */
export interface Thumbnail {
  readonly key: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Appearance of a picture, small enough to be compared with a hundred thousand others. */
export interface Look {
  /** The cells of its dominant colours, the most frequent first: one to five, none of a transparent picture. */
  readonly colors: readonly number[];
  /** 64 binary digits: whether the picture becomes brighter from left to right, in eight steps of eight rows. */
  readonly shape: string;
}

/** Facts of the bytes of a picture, a video or a model: all who show the file show these. */
export interface Picture {
  /** Key of the stored file. */
  readonly key: string;
  /** Given by people; by default `outputNameOf` of an output, else the name of its file. */
  readonly name: string;
  /** Detected from the bytes. */
  readonly contentType: string;
  /** Pixels, upright; `null` for a model, and until the file is looked at. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds, of a video; `null` if unknown. */
  readonly duration: number | null;
  /** ThumbHash, base64; `null` until it is made. */
  readonly placeholder: string | null;
  /** Smallest first; none until they are made, and for a model. */
  readonly thumbnails: readonly Thumbnail[];
}

/** The result of a look at the bytes, and the thumbnails that it made. */
export interface SeenPicture extends Omit<Picture, 'key' | 'name' | 'contentType'> {
  /** `null` for what has no picture. */
  readonly look: Look | null;
}

type Facts = Omit<SeenPicture, 'thumbnails' | 'look'>;

/** The facts of a file without a picture that can be read. */
const NO_FACTS: Facts = { width: null, height: null, duration: null, placeholder: null };

/** The names of the facts that a look finds: adapters keep each in a column, and the API has a field for it. */
export const PICTURE_FACTS = Object.keys(NO_FACTS) as readonly (keyof Facts)[];

/** The result of a look at a file without a picture that can be read. */
export const NOTHING_SEEN: SeenPicture = { ...NO_FACTS, thumbnails: [], look: null };

/** Reports whether a file may have a picture: a look at it decides. */
export function canBeSeen({ contentType }: Pick<Picture, 'contentType'>): boolean {
  return /^(image|video)\//.test(contentType);
}

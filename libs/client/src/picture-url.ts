/** The widths and heights that pictures are made in: what is asked for is rounded up to the next. */
export const PICTURE_STEPS = [64, 128, 192, 320, 480, 640, 800, 960, 1280, 1600, 1920, 2560] as const;

export interface PictureOptions {
  /** Pixels, 1 to 2560. A picture is never enlarged. */
  readonly width?: number;
  readonly height?: number;
  /**
   * How the picture fills width and height: `inside` fits into both (default), `cover` fills both and is cropped,
   * `contain` fits into both with a ground around.
   */
  readonly fit?: 'inside' | 'cover' | 'contain';
  /** 1 to 100; 80 by default. */
  readonly quality?: number;
  /** `auto` (default): AVIF or WebP for browsers that accept them, else JPEG, or PNG where the picture is transparent. */
  readonly format?: 'auto' | 'webp' | 'avif' | 'jpeg' | 'png';
  /** Draws the operator's label on it, such as "AI-generated". */
  readonly label?: boolean;
}

/** An output, a media item or a thumbnail, or the URL of a stored picture, signed or not. */
export type StoredPicture = string | { readonly url: string };

/** The URL at which a stored picture is served with these options. Sends nothing. */
export function pictureUrl(picture: StoredPicture, options: PictureOptions): string {
  const url = new URL(typeof picture === 'string' ? picture : picture.url);
  const { width, height, fit, quality, format, label } = options;
  for (const [name, value] of Object.entries({ w: width, h: height, fit, q: quality, fm: format, label })) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  // Without any option it would be the original.
  if (Object.values(options).every((value) => value === undefined)) url.searchParams.set('fm', 'auto');
  return url.href;
}

/** The `srcset` of an `<img>` or `<source>`: the picture in these widths. */
export function pictureSrcset(
  picture: StoredPicture,
  widths: readonly number[] = PICTURE_STEPS,
  options: Omit<PictureOptions, 'width' | 'height' | 'fit'> = {},
): string {
  return widths.map((width) => `${pictureUrl(picture, { ...options, width })} ${width}w`).join(', ');
}

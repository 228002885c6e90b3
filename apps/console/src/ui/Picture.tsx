import { type CSSProperties, useMemo, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import classes from './Picture.module.css';

interface PictureProps {
  readonly src: string | null;
  readonly alt: string;
  /** In base64, as the service gives it; it stands behind the picture until that is there. */
  readonly placeholder?: string | null;
  /** Reserve the place, so that nothing moves when the picture comes. */
  readonly width?: number | null;
  readonly height?: number | null;
  readonly fit?: 'cover' | 'contain';
  readonly className?: string;
  readonly onError?: () => void;
}

/** A picture that never blocks: its colours first, itself when it is there. Fills the width it is given. */
export function Picture({
  src,
  alt,
  placeholder,
  width,
  height,
  fit = 'cover',
  className = '',
  onError,
}: PictureProps) {
  const [loaded, setLoaded] = useState<string | null>(null);
  const colours = useMemo(() => coloursOf(placeholder ?? null), [placeholder]);
  // Not behind the picture itself, which may be transparent.
  const isBehind = colours !== null && (src === null || loaded !== src);
  const style: CSSProperties = { backgroundImage: isBehind ? `url(${colours})` : undefined };
  if (width && height) style.aspectRatio = `${width} / ${height}`;
  return (
    <span className={`${classes.frame} ${className}`} style={style}>
      {src !== null && (
        <img
          src={src}
          alt={alt}
          loading="lazy"
          decoding="async"
          className={classes.picture}
          style={{ objectFit: fit }}
          data-loaded={loaded === src || undefined}
          onLoad={() => setLoaded(src)}
          onError={onError}
        />
      )}
    </span>
  );
}

function coloursOf(placeholder: string | null): string | null {
  if (placeholder === null) return null;
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(placeholder), (each) => each.charCodeAt(0)));
  } catch {
    return null;
  }
}

import { type ReactNode, useMemo, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import classes from './Picture.module.css';

interface PictureProps {
  readonly src: string | null;
  readonly alt: string;
  /** A ThumbHash in base64, shown until the picture has loaded. */
  readonly placeholder?: string | null;
  readonly fit?: 'cover' | 'contain';
  readonly className?: string;
  readonly onError?: () => void;
  /** Shown over the picture. */
  readonly children?: ReactNode;
}

/** A picture that loads lazily behind its placeholder. It fills the width of its container. */
export function Picture(props: PictureProps) {
  const { src, alt, placeholder, fit = 'cover', className = '', onError, children } = props;
  const [loaded, setLoaded] = useState<string | null>(null);
  const colours = useMemo(() => coloursOf(placeholder ?? null), [placeholder]);
  // Removed after loading, as the picture may be transparent.
  const isBehind = colours !== null && (src === null || loaded !== src);
  return (
    <span
      className={`${classes.frame} ${className}`}
      style={{ backgroundImage: isBehind ? `url(${colours})` : undefined }}
      {...(src === null && alt !== '' && { role: 'img', 'aria-label': alt })}
    >
      {src !== null && (
        <img
          src={src}
          alt={alt}
          loading="lazy"
          decoding="async"
          // The tile around it is dragged.
          draggable={false}
          className={classes.picture}
          style={{ objectFit: fit }}
          data-loaded={loaded === src || undefined}
          onLoad={() => setLoaded(src)}
          onError={onError}
        />
      )}
      {children}
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

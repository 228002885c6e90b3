import { type ReactNode, useMemo, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import { addressOf, type Source } from '../file-url.ts';
import classes from './Picture.module.css';
import { useLastingUrl } from './use-lasting-url.ts';

interface PictureProps {
  readonly src: string | null;
  /** The variant of it to show. Where that can't be had now, the picture itself is shown. */
  readonly variant?: Source['variant'];
  readonly alt: string;
  /** A ThumbHash in base64, shown until the picture has loaded. */
  readonly placeholder?: string | null;
  readonly fit?: 'cover' | 'contain';
  readonly className?: string;
  /** Called when the picture can't be loaded; `isReadAgain` if a list on the screen has it, and is read again. */
  readonly onError?: (isReadAgain: boolean) => void;
  /** Shown over the picture. */
  readonly children?: ReactNode;
}

/** A picture that loads lazily behind its placeholder. It fills the width of its container. */
export function Picture(props: PictureProps) {
  const { alt, placeholder, fit = 'cover', className = '', children } = props;
  const { src, fail } = useSource(props);
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
          onError={fail}
        />
      )}
      {children}
    </span>
  );
}

/** The URL to load, and what to do when that fails. */
function useSource({ src: wanted, variant, onError }: PictureProps) {
  const [url, fail] = useLastingUrl(wanted);
  const [unvaried, setUnvaried] = useState<string | null>(null);
  const isVaried = url !== null && Boolean(variant) && unvaried !== url;
  return {
    src: isVaried ? addressOf({ url, variant: variant! }) : url,
    fail: () => {
      if (isVaried) setUnvaried(url);
      else onError?.(fail());
    },
  };
}

function coloursOf(placeholder: string | null): string | null {
  if (placeholder === null) return null;
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(placeholder), (each) => each.charCodeAt(0)));
  } catch {
    return null;
  }
}

import { Image } from 'lucide-react';
import type { ReactNode } from 'react';
import { isLookedUp, type StoredMedia, thumbnailOf } from './media.ts';
import { Picture } from './Picture.tsx';
import classes from './Thumb.module.css';
import { useThumbnails } from './use-thumbnails.ts';

interface ThumbProps {
  readonly media: StoredMedia;
  readonly alt: string;
  /** The shown width in CSS pixels. */
  readonly width: number;
  readonly fit?: 'cover' | 'contain';
  readonly className?: string;
  /** Shown where there is neither a thumbnail nor a placeholder (default: an icon). */
  readonly children?: ReactNode;
}

/**
 * The thumbnail of a file; of a file that is known only by its URL, the service is asked for it. Never the original: where a
 * thumbnail is missing, there are the colours of its placeholder, the children, or an icon.
 */
export function Thumb(props: ThumbProps) {
  const { media } = props;
  return (media.thumbnails?.length ?? 0) === 0 && isLookedUp(media) ? <FoundThumb {...props} /> : <Shown {...props} />;
}

function FoundThumb(props: ThumbProps) {
  const found = useThumbnails(props.media.url);
  return <Shown {...props} media={found ? { ...props.media, ...found } : props.media} />;
}

function Shown({ media, alt, width, fit, className, children }: ThumbProps) {
  const src = thumbnailOf(media, width);
  if (src === null && !media.placeholder) return children ? <>{children}</> : <None {...{ alt, width, className }} />;
  return <Picture src={src} alt={alt} placeholder={media.placeholder} fit={fit} className={className} />;
}

function None({ alt, width, className = '' }: Pick<ThumbProps, 'alt' | 'width' | 'className'>) {
  const named = alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt };
  return (
    <span className={`${classes.none} ${className}`} {...named}>
      <Image size={Math.min(26, width / 2)} strokeWidth={1.6} aria-hidden />
    </span>
  );
}

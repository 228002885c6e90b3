import { Box, CirclePlay, File, Image, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { tileSource } from '../file-url.ts';
import { isLookedUp, mediaKind, type MediaKind, type StoredMedia } from './media.ts';
import classes from './MediaThumb.module.css';
import { Picture } from './Picture.tsx';
import { useStoredFile } from './stored-files.ts';

interface MediaThumbProps {
  readonly media: StoredMedia;
  readonly alt: string;
  /** The shown width in CSS pixels. */
  readonly width: number;
  readonly className?: string;
  /** Shown where there is neither a thumbnail nor a placeholder (default: the icon of its kind). */
  readonly absent?: ReactNode;
  /** Shown over the thumbnail (default: the icon of a video). */
  readonly mark?: ReactNode;
}

export const KIND_ICONS: Readonly<Record<MediaKind, LucideIcon>> = {
  picture: Image,
  video: CirclePlay,
  model: Box,
  other: File,
};

/**
 * The thumbnail of a media item of any kind; of a file that is known only by its URL, the service is asked for it. Never the
 * original: where a thumbnail is missing, there are the colours of its placeholder, or what stands for it. It fills its
 * container, unless its class says otherwise.
 */
export function MediaThumb(props: MediaThumbProps) {
  const { media } = props;
  const [lost, setLost] = useState<string | null>(null);
  const isUnknown = (media.thumbnails?.length ?? 0) === 0 || lost === media.url;
  if (isUnknown && isLookedUp(media)) return <FoundThumb {...props} />;
  return <Shown {...props} onLost={() => setLost(media.url)} />;
}

function FoundThumb(props: MediaThumbProps) {
  const found = useStoredFile(props.media.url);
  return <Shown {...props} media={found ? { ...props.media, ...found } : props.media} />;
}

interface ShownProps extends MediaThumbProps {
  /** Called when the thumbnail can't be loaded, and no list on the screen is read again for it. */
  readonly onLost?: () => void;
}

function Shown({ media, alt, width, className = '', absent, mark, onLost }: ShownProps) {
  const source = tileSource(media.thumbnails ?? [], width);
  const kind = mediaKind(media.content_type);
  const Icon = KIND_ICONS[kind];
  const icon = <Icon size={Math.min(26, width / 2)} strokeWidth={1.6} aria-hidden />;
  const place = `${classes.thumb} ${className}`;
  if (source || media.placeholder) {
    return (
      <Picture
        src={source?.url ?? null}
        variant={source?.variant}
        alt={alt}
        placeholder={media.placeholder}
        className={place}
        onError={(isReadAgain) => isReadAgain || onLost?.()}
      >
        {mark ?? (kind === 'video' && <span className={classes.mark}>{icon}</span>)}
      </Picture>
    );
  }
  if (absent) return absent;
  const named = alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt };
  return (
    <span className={`${place} ${classes.none}`} {...named}>
      {icon}
    </span>
  );
}

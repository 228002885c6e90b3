import { Box, CirclePlay, File } from 'lucide-react';
import { mediaKind, type StoredMedia, thumbnailOf } from './media.ts';
import classes from './MediaThumb.module.css';
import { Picture } from './Picture.tsx';

interface MediaThumbProps {
  readonly media: StoredMedia;
  readonly alt: string;
  /** CSS pixels: how wide it is shown. */
  readonly width: number;
  readonly fit?: 'cover' | 'contain';
}

/** Stored media of any kind in small: fills the box that it is given. */
export function MediaThumb({ media, alt, width, fit }: MediaThumbProps) {
  const kind = mediaKind(media.content_type);
  const src = thumbnailOf(media, width);
  const Mark = { picture: null, video: CirclePlay, model: Box, other: File }[kind];
  // Where there is no picture to carry the name.
  const isNamed = src === null && alt !== '';
  return (
    <span className={classes.thumb}>
      {src !== null && (
        <Picture src={src} alt={alt} placeholder={media.placeholder} fit={fit} className={classes.fill} />
      )}
      {Mark && (
        <span className={classes.mark} role={isNamed ? 'img' : undefined} aria-label={isNamed ? alt : undefined}>
          <Mark size={width < 80 ? 18 : 26} strokeWidth={1.6} aria-hidden />
        </span>
      )}
    </span>
  );
}

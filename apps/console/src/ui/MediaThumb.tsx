import { Box, CirclePlay, File } from 'lucide-react';
import { mediaKind, type StoredMedia, thumbnailOf } from './media.ts';
import classes from './MediaThumb.module.css';
import { Picture } from './Picture.tsx';

interface MediaThumbProps {
  readonly media: StoredMedia;
  readonly alt: string;
  /** The shown width in CSS pixels. */
  readonly width: number;
  readonly fit?: 'cover' | 'contain';
}

/** The thumbnail of a media item of any kind. It fills its container. */
export function MediaThumb({ media, alt, width, fit }: MediaThumbProps) {
  const kind = mediaKind(media.content_type);
  const src = thumbnailOf(media, width);
  const Mark = { picture: null, video: CirclePlay, model: Box, other: File }[kind];
  // Without a picture the icon has the name.
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

import { Box, CirclePlay, File, Image } from 'lucide-react';
import { mediaKind, type StoredMedia } from './media.ts';
import classes from './MediaThumb.module.css';
import { Thumb } from './Thumb.tsx';

interface MediaThumbProps {
  readonly media: StoredMedia;
  readonly alt: string;
  /** The shown width in CSS pixels. */
  readonly width: number;
  readonly fit?: 'cover' | 'contain';
}

const MARKS = { picture: Image, video: CirclePlay, model: Box, other: File };

/** The thumbnail of a media item of any kind. It fills its container. */
export function MediaThumb({ media, alt, width, fit }: MediaThumbProps) {
  const kind = mediaKind(media.content_type);
  const Mark = MARKS[kind];
  const mark = (
    <span className={classes.mark} aria-hidden>
      <Mark size={width < 80 ? 18 : 26} strokeWidth={1.6} />
    </span>
  );
  return (
    <span className={classes.thumb}>
      <Thumb media={media} alt={alt} width={width} fit={fit} className={classes.fill}>
        {kind !== 'video' && mark}
      </Thumb>
      {kind === 'video' && mark}
    </span>
  );
}

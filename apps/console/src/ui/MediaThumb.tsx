import { useQuery } from '@tanstack/react-query';
import { Box, CirclePlay, File, Image, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { x12 } from '../api/index.ts';
import { Lookup } from './lookup.ts';
import { isLookedUp, mediaKind, type MediaKind, type StoredMedia, thumbnailOf } from './media.ts';
import classes from './MediaThumb.module.css';
import { Picture } from './Picture.tsx';

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
  return (media.thumbnails?.length ?? 0) === 0 && isLookedUp(media) ? <FoundThumb {...props} /> : <Shown {...props} />;
}

function FoundThumb(props: MediaThumbProps) {
  const found = useThumbnails(props.media.url);
  return <Shown {...props} media={found ? { ...props.media, ...found } : props.media} />;
}

function Shown({ media, alt, width, className = '', absent, mark }: MediaThumbProps) {
  const src = thumbnailOf(media, width);
  const kind = mediaKind(media.content_type);
  const Icon = KIND_ICONS[kind];
  const icon = <Icon size={Math.min(26, width / 2)} strokeWidth={1.6} aria-hidden />;
  const place = `${classes.thumb} ${className}`;
  if (src !== null || media.placeholder) {
    return (
      <Picture src={src} alt={alt} placeholder={media.placeholder} className={place}>
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

type Found = Pick<StoredMedia, 'placeholder' | 'thumbnails'>;

/** Maximum URLs of one call: they are part of its own URL. */
const MAX_URLS = 12;
/** Thumbnails of an upload are made within seconds: it is asked again after 1, 2, 4, 8 and 16 seconds, and no more. */
const MAX_TRIES = 6;

/** The place of a file below the address of the service, which may have changed. */
const placeOf = (url: string) => url.split('/').slice(-2).join('/');

const lookup = new Lookup<Found | null>(MAX_URLS, async (urls) => {
  const { files } = await x12.library.thumbnails.list({ urls: urls.map((url) => url.replaceAll(',', '%2C')) });
  const byPlace = new Map(files.map(({ url, ...found }) => [placeOf(url), found]));
  return urls.map((url) => byPlace.get(placeOf(url)) ?? null);
});

/** Thumbnails and placeholder of a stored file; null for another URL, and until they are known. */
function useThumbnails(url: string): Found | null {
  const { data = null } = useQuery({
    queryKey: ['thumbnails', url],
    queryFn: () => lookup.find(url),
    staleTime: 300_000,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data: found, dataUpdateCount: tries } }) =>
      found?.thumbnails?.length === 0 && tries < MAX_TRIES ? 500 * 2 ** tries : false,
  });
  return data;
}

import type { ReactNode } from 'react';
import { number } from '../formats.ts';
import { mediaKind, type StoredMedia } from '../media.ts';
import { KIND_ICONS, MediaThumb } from '../MediaThumb.tsx';
import { words } from '../words.ts';
import classes from './MediaGrid.module.css';
import { TileBadge } from './TileBadge.tsx';

const text = words.tile;

interface TileMediaProps {
  /** The URL is null for an item without a file. */
  readonly media: Omit<StoredMedia, 'url'> & { readonly url: string | null };
  /** Shown where there is no picture of it. */
  readonly name: string;
  /** CSS pixels. */
  readonly width: number;
}

/** A picture in a tile, or the picture of a video or a 3D model with its mark. */
export function TileMedia({ media, name, width }: TileMediaProps) {
  const { url, content_type, duration = null } = media;
  const kind = mediaKind(content_type);
  const Icon = KIND_ICONS[kind];
  const note = (
    <TileNote>
      <Icon size={34} strokeWidth={1.25} aria-hidden />
      {url === null ? text.noFile : kind === 'model' ? text.model : name}
    </TileNote>
  );
  if (url === null) return note;
  const hasMark = kind !== 'picture' && (media.thumbnails?.length ?? 0) > 0;
  const mark = hasMark && (
    <TileBadge at="bottom-end">
      <Icon size={15} aria-hidden />
      {lengthOf(duration)}
    </TileBadge>
  );
  return (
    <MediaThumb media={{ ...media, url }} alt="" width={width} className={classes.picture} absent={note} mark={mark} />
  );
}

interface TileNoteProps {
  readonly hasFailed?: boolean;
  readonly children: ReactNode;
}

/** A sentence instead of a picture. */
export function TileNote({ hasFailed = false, children }: TileNoteProps) {
  return (
    <span className={classes.note} data-failed={hasFailed || undefined}>
      {children}
    </span>
  );
}

/** Label of a file for screen readers: its name, its kind unless it is a picture, its length. */
export function describeMedia(name: string, { url, content_type, duration = null }: TileMediaProps['media']): string {
  if (url === null) return `${name}, ${text.noFile}`;
  const kind = { picture: '', video: text.video, model: text.model, other: text.otherFile }[mediaKind(content_type)];
  return [name, kind, lengthOf(duration)].filter((part) => part !== '').join(', ');
}

const lengthOf = (duration: number | null) => (duration === null ? '' : text.seconds(number(duration)));

/** Limits of the height of a tile by its width: pictures beyond them are cropped. */
const FLATTEST = 0.4;
const TALLEST = 2;

/** The height of a tile by its width: a square while the size of the picture is unknown. */
export function tileRatio({ width, height }: Pick<StoredMedia, 'width' | 'height'>): number {
  if (!width || !height) return 1;
  return Math.min(TALLEST, Math.max(FLATTEST, height / width));
}

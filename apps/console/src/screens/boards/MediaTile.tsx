import { Loader, Text } from '@mantine/core';
import { Box, Check, CirclePlay, File, ImageOff } from 'lucide-react';
import { memo, useRef } from 'react';
import type { MediaDto } from '../../api/index.ts';
import { mediaKind, number, Picture, thumbnailOf, useTouchAndHold } from '../../ui/index.ts';
import { words } from '../../words.ts';
import type { Place } from './columns.ts';
import { useDrag } from './drag-and-drop.ts';
import { nameOf } from './media-names.ts';
import classes from './MediaTile.module.css';

const said = words.boards;

/** The keys that are down while a tile is pressed. */
export interface KeysHeld {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

interface MediaTileProps {
  readonly media: MediaDto;
  readonly place: Place;
  readonly position: number;
  readonly count: number;
  readonly isSelected: boolean;
  /** Whether keys act on this tile. */
  readonly isActive: boolean;
  readonly onPress: (id: number, keys: KeysHeld, onCheck: boolean) => void;
  /** The ids of the items that are dragged together with an item. */
  readonly draggedWith: (id: number) => readonly number[];
}

export const MediaTile = memo(function MediaTile(props: MediaTileProps) {
  const { media, place, position, count, isSelected, isActive, onPress, draggedWith } = props;
  const element = useRef<HTMLDivElement>(null);
  const name = nameOf(media);
  const hold = useTouchAndHold((event) => onPress(media.id, event, true));
  useDrag(
    element,
    () => ({ kind: 'media', ids: draggedWith(media.id) }),
    () => labelOf(name, draggedWith(media.id).length),
  );
  return (
    <div
      ref={element}
      id={tileId(media.id)}
      role="option"
      aria-selected={isSelected}
      aria-label={describe(media, name)}
      aria-setsize={count}
      aria-posinset={position + 1}
      className={classes.tile}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      style={{ width: place.width, height: place.height, transform: `translate(${place.x}px, ${place.y}px)` }}
      onClick={(event) => onPress(media.id, event, false)}
      {...hold}
    >
      <Content media={media} width={place.width} />
      <span
        className={classes.check}
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          onPress(media.id, event, true);
        }}
      >
        <Check size={15} strokeWidth={3} />
      </span>
    </div>
  );
});

export const tileId = (id: number) => `media-${id}`;

const labelOf = (name: string, count: number) => (count === 1 ? name : said.selected(count));

function describe({ state, url, content_type, duration }: MediaDto, name: string): string {
  if (state === 'created') return `${name}, ${said.preparing}`;
  if (state === 'failed') return `${name}, ${said.failed}`;
  if (url === null) return `${name}, ${said.noFile}`;
  const kind = { picture: '', video: said.video, model: said.model, other: said.otherFile }[mediaKind(content_type)];
  return [name, kind, lengthOf(duration)].filter((part) => part !== '').join(', ');
}

const lengthOf = (duration: number | null) => (duration === null ? '' : said.seconds(number(duration)));

function Content({ media, width }: { readonly media: MediaDto; readonly width: number }) {
  const { state, url, control_image, content_type, duration, placeholder } = media;
  if (state === 'created') {
    return (
      <span className={classes.note} data-waiting>
        <Loader size="sm" />
        {said.preparing}
      </span>
    );
  }
  if (state === 'failed') {
    return (
      <span className={classes.note} data-failed>
        <ImageOff size={26} strokeWidth={1.5} aria-hidden />
        {said.failed}
      </span>
    );
  }
  const kind = mediaKind(content_type);
  const shown = url ?? control_image;
  const src = shown === null ? null : thumbnailOf({ ...media, url: shown }, width);
  const Mark = { picture: null, video: CirclePlay, model: Box, other: File }[kind];
  if (src === null) {
    const Icon = Mark ?? File;
    return (
      <span className={classes.note}>
        <Icon size={34} strokeWidth={1.25} aria-hidden />
        {shown === null ? said.noFile : kind === 'model' ? said.model : nameOf(media)}
      </span>
    );
  }
  return (
    <>
      <Picture src={src} alt="" placeholder={placeholder} className={classes.picture} />
      {Mark && (
        <Text component="span" size="xs" fw={600} className={classes.mark}>
          <Mark size={15} aria-hidden />
          {lengthOf(duration)}
        </Text>
      )}
    </>
  );
}

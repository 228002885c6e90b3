import { Menu, UnstyledButton } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { IconButton, MediaThumb, type StoredMedia } from '../../ui/index.ts';
import { type DraggedPicture, useDraggablePicture } from './picture-drag.ts';
import classes from './PictureTile.module.css';

interface PictureTileProps {
  readonly media: StoredMedia;
  readonly name: string;
  /** The picture to drag; null for other kinds of files. */
  readonly picture: DraggedPicture | null;
  readonly onLook: () => void;
  readonly menuLabel: string;
  /** The items of its menu. */
  readonly menu: ReactNode;
  /** A word on the tile, such as its state. */
  readonly badge?: ReactNode;
}

/** A picture of the library. It can be opened, dragged to a slot, or moved there by its menu. */
export function PictureTile({ media, name, picture, onLook, menuLabel, menu, badge }: PictureTileProps) {
  const tile = useRef<HTMLDivElement>(null);
  useDraggablePicture(tile, picture);
  return (
    <div ref={tile} className={classes.tile}>
      <UnstyledButton className={classes.picture} aria-label={name} title={name} onClick={onLook}>
        <MediaThumb media={media} alt="" width={180} />
        {badge && <span className={classes.badge}>{badge}</span>}
      </UnstyledButton>
      <Menu width={220}>
        <Menu.Target>
          <IconButton icon={Ellipsis} label={menuLabel} variant="default" size={32} className={classes.menu} />
        </Menu.Target>
        <Menu.Dropdown>{menu}</Menu.Dropdown>
      </Menu>
    </div>
  );
}

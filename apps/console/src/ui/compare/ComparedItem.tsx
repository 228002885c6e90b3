import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Note } from '../Hint.tsx';
import { MediaStage } from '../media/MediaStage.tsx';
import { kindOf, pictureOf, type ViewedMedia } from '../media/viewed-media.ts';
import classes from './Comparison.module.css';
import type { Films } from './use-films.ts';
import { FRAME } from './use-zoom.ts';

/** An item beside others. */
export interface Compared extends ViewedMedia {
  /** Short: the head of the item's column. */
  readonly label: string;
}

interface ComparedItemProps {
  readonly item: Compared;
  /** Settings that differ from the other items. */
  readonly difference: string;
  /** True if keys act on this item. */
  readonly isCurrent: boolean;
  readonly films: Films;
  /** False where the item is shown elsewhere. */
  readonly hasFrame: boolean;
  readonly onFocus: () => void;
  /** Buttons. */
  readonly tools?: ReactNode;
  /** Shown for an item without a file. */
  readonly absent?: ReactNode;
}

/** A compared item with its name and its buttons. */
export function ComparedItem(props: ComparedItemProps) {
  const { item, difference, isCurrent, films, hasFrame, onFocus, tools, absent } = props;
  return (
    <figure
      className={classes.item}
      aria-label={`${item.label}: ${item.name}`}
      aria-current={isCurrent || undefined}
      tabIndex={0}
      data-autofocus={(hasFrame && isCurrent) || undefined}
      data-item={item.id}
      onFocus={onFocus}
    >
      {hasFrame && <Frame item={item} films={films} absent={absent} />}
      <figcaption className={classes.caption}>
        <Group mih={30} justify="space-between" wrap="nowrap" gap={6}>
          <Text span fw={600} size="sm" className={classes.label}>
            {item.label}
          </Text>
          {tools}
        </Group>
        <Note truncate title={difference} dir="auto" className={classes.difference}>
          {difference}
        </Note>
      </figcaption>
    </figure>
  );
}

function Frame({ item, films, absent }: Pick<ComparedItemProps, 'item' | 'films' | 'absent'>) {
  const kind = item.url === null ? 'other' : kindOf(item);
  const src = kind === 'picture' ? pictureOf(item) : null;
  if (kind === 'video') {
    return (
      <div className={classes.frame} {...{ [FRAME]: '' }}>
        <video
          src={item.url!}
          muted
          playsInline
          preload="auto"
          className={classes.picture}
          aria-label={item.name}
          {...films.handlers}
        />
      </div>
    );
  }
  if (src === null) {
    return (
      <div className={classes.frame}>
        <MediaStage media={item} absent={absent} />
      </div>
    );
  }
  return (
    <div className={classes.frame} {...{ [FRAME]: '' }}>
      <img src={src} alt={item.name} draggable={false} className={classes.picture} />
    </div>
  );
}

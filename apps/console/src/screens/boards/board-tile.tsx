import { Loader } from '@mantine/core';
import { ImageOff } from 'lucide-react';
import { describeMedia, type Look, TileMedia, TileNote, tileRatio } from '../../ui/index.ts';
import { type Entry, isNote } from './board-order.ts';
import classes from './BoardView.module.css';
import { nameOf } from './media-names.ts';
import { describeReview, ReviewBadge } from './review/ReviewBadge.tsx';
import { words } from './words.ts';

/** How media and notes of boards look in the grid. */
export const BOARD_LOOK: Look<Entry> = {
  describe(media) {
    if (isNote(media)) return words.note.describe(media.text);
    const name = nameOf(media);
    if (media.state === 'created') return `${name}, ${words.preparing}`;
    if (media.state === 'failed') return `${name}, ${words.failed}`;
    return [describeMedia(name, media), describeReview(media)].filter(Boolean).join(', ');
  },
  nameOf: (media) => (isNote(media) ? '' : nameOf(media)),
  ratioOf: (media) => (isNote(media) ? noteRatio(media.text) : media.state === 'processed' ? tileRatio(media) : 1),
  content(media, width) {
    if (isNote(media)) return <div className={classes.note} dir="auto" children={media.text} />;
    if (media.state === 'created') {
      return (
        <TileNote>
          <Loader size="sm" />
          {words.preparing}
        </TileNote>
      );
    }
    if (media.state === 'failed') {
      return (
        <TileNote hasFailed>
          <ImageOff size={26} strokeWidth={1.5} aria-hidden />
          {words.failed}
        </TileNote>
      );
    }
    return (
      <>
        <TileMedia media={{ ...media, url: media.url ?? media.control_image }} name={nameOf(media)} width={width} />
        <ReviewBadge {...media} />
      </>
    );
  },
};

/** Characters of a line of a note, and the heights of a line and of its padding by the width of a tile on a phone. */
const LINE = { characters: 18, height: 0.12, padding: 0.34 };

/** The height of a note by its width, which is enough for most texts. */
function noteRatio(text: string): number {
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE.characters)), 0);
  return Math.min(2, Math.max(0.4, lines * LINE.height + LINE.padding));
}

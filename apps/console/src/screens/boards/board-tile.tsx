import { Loader } from '@mantine/core';
import { ImageOff } from 'lucide-react';
import type { MediaDto } from '../../api/index.ts';
import { describeMedia, type Look, TileMedia, TileNote, tileRatio } from '../../ui/index.ts';
import { nameOf } from './media-names.ts';
import { describeReview, ReviewBadge } from './review/ReviewBadge.tsx';
import { words } from './words.ts';

/** How media of boards look in the grid. */
export const BOARD_LOOK: Look<MediaDto> = {
  describe(media) {
    const name = nameOf(media);
    if (media.state === 'created') return `${name}, ${words.preparing}`;
    if (media.state === 'failed') return `${name}, ${words.failed}`;
    return [describeMedia(name, media), describeReview(media)].filter(Boolean).join(', ');
  },
  nameOf,
  ratioOf: (media) => (media.state === 'processed' ? tileRatio(media) : 1),
  content(media, width) {
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

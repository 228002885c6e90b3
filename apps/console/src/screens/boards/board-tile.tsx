import { Loader } from '@mantine/core';
import { ImageOff } from 'lucide-react';
import type { MediaDto } from '../../api/index.ts';
import { describeMedia, type Look, TileMedia, TileNote, tileRatio } from '../../ui/index.ts';
import { words } from '../../words.ts';
import { nameOf } from './media-names.ts';
import { describeReview, ReviewBadge } from './review/ReviewBadge.tsx';

const said = words.boards;

/** How media of boards look in the grid. */
export const BOARD_LOOK: Look<MediaDto> = {
  describe(media) {
    const name = nameOf(media);
    if (media.state === 'created') return `${name}, ${said.preparing}`;
    if (media.state === 'failed') return `${name}, ${said.failed}`;
    return [describeMedia(name, media), describeReview(media)].filter(Boolean).join(', ');
  },
  ratioOf: (media) => (media.state === 'processed' ? tileRatio(media) : 1),
  content(media, width) {
    if (media.state === 'created') {
      return (
        <TileNote>
          <Loader size="sm" />
          {said.preparing}
        </TileNote>
      );
    }
    if (media.state === 'failed') {
      return (
        <TileNote hasFailed>
          <ImageOff size={26} strokeWidth={1.5} aria-hidden />
          {said.failed}
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

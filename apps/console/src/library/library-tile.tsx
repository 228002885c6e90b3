import { Star } from 'lucide-react';
import { describeMedia, type Look, TileBadge, TileMedia, tileRatio } from '../ui/index.ts';
import type { Item } from './item.ts';
import { words } from './words.ts';

/** How items of the library look in the grid. */
export const LIBRARY_LOOK: Look<Item> = {
  describe: (item) => {
    const description = describeMedia(item.name, item);
    return item.rating > 0 ? `${description}, ${words.stars(item.rating)}` : description;
  },
  nameOf: ({ name }) => name,
  ratioOf: tileRatio,
  content: (item, width) => (
    <>
      <TileMedia media={item} name={item.name} width={width} />
      {item.rating > 0 && (
        <TileBadge at="bottom-start" aria-hidden>
          {item.rating}
          <Star size={13} fill="currentColor" />
        </TileBadge>
      )}
    </>
  ),
};

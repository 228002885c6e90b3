import { Grid3x3, Star } from 'lucide-react';
import { describeMedia, type Look, TileBadge, TileMedia, tileRatio } from '../ui/index.ts';
import { type BatchTile, type Entry, isBatch } from './batch-tiles.ts';
import type { Item } from './item.ts';
import classes from './Library.module.css';
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

/** The same, where a batch is one tile. */
export const ENTRY_LOOK: Look<Entry> = {
  describe: (entry) => (isBatch(entry) ? words.batch.label(entry.name, noteOf(entry)) : LIBRARY_LOOK.describe(entry)),
  nameOf: (entry) => (isBatch(entry) ? '' : entry.name),
  ratioOf: (entry) => (isBatch(entry) ? 1 : tileRatio(entry)),
  content: (entry, width) => (isBatch(entry) ? batchContent(entry, width) : LIBRARY_LOOK.content(entry, width)),
};

/** How many pictures there are, and how many failed. */
function noteOf({ batch, items }: BatchTile): string {
  if (!batch) return words.batch.pictures(items.length);
  const { succeeded, failed, total } = batch.cells;
  return words.batch.of(succeeded, total, failed);
}

/** Its first pictures. Its texts stand in its style sheet: the label of the tile says them. */
function batchContent(tile: BatchTile, width: number) {
  return (
    <>
      <div className={classes.crumbs}>
        {tile.items.slice(0, 4).map((item) => (
          <TileMedia key={item.id} media={item} name="" width={width / 2} />
        ))}
        {tile.items.length === 0 && <Grid3x3 size={34} strokeWidth={1.25} aria-hidden />}
      </div>
      <div className={classes.batch} data-name={tile.name} data-note={noteOf(tile)} />
    </>
  );
}

import { UnstyledButton } from '@mantine/core';
import { Check } from 'lucide-react';
import { EmptyState } from '../EmptyState.tsx';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { unsigned } from '../../file-url.ts';
import { QueryState } from '../QueryState.tsx';
import { MediaThumb } from '../MediaThumb.tsx';
import { type Pages, useNextPage } from '../MoreOfList.tsx';
import { useTouchAndHold } from '../use-touch-and-hold.ts';
import { VirtualGrid } from '../VirtualGrid.tsx';
import { words } from '../words.ts';
import classes from './PickGrid.module.css';
import { isAccepted, type PickedMedia, type PickTabProps } from './picked-media.ts';

interface PickGridProps extends PickTabProps {
  /** Undefined while loading. */
  readonly media: readonly PickedMedia[] | undefined;
  /** The infinite query of the media. */
  readonly list: Pages & { readonly isPending: boolean; readonly refetch: () => unknown };
}

/** Media to choose from, as tiles. */
export function PickGrid({ media, list, chosen, isFull, onChoose, accept }: PickGridProps) {
  const onEnd = useNextPage(list);
  if (!media) return <QueryState query={list} rows={3} height={110} />;
  const offered = media.filter((each) => isAccepted(each, accept));
  if (offered.length === 0) return <EmptyState title={words.picker.empty} hint={words.picker.emptyHint} />;
  const urls = new Set(chosen.map(({ url }) => unsigned(url)));
  return (
    <>
      {Boolean(list.error) && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      <VirtualGrid items={offered} label={words.picker.label} height={380} onEnd={onEnd}>
        {(item) => {
          const isChosen = urls.has(unsigned(item.url));
          return <Tile item={item} isChosen={isChosen} isOff={isFull && !isChosen} onChoose={onChoose} />;
        }}
      </VirtualGrid>
    </>
  );
}

interface TileProps {
  readonly item: PickedMedia;
  readonly isChosen: boolean;
  /** True if it can be focused, but not chosen. */
  readonly isOff: boolean;
  readonly onChoose: (item: PickedMedia) => void;
}

function Tile({ item, isChosen, isOff, onChoose }: TileProps) {
  const hold = useTouchAndHold(() => onChoose(item));
  return (
    <UnstyledButton
      className={classes.tile}
      aria-pressed={isChosen}
      aria-disabled={isOff || undefined}
      aria-label={item.name}
      title={item.name}
      onClick={() => onChoose(item)}
      {...hold}
    >
      <MediaThumb media={item} alt="" width={180} />
      {isChosen && (
        <span className={classes.chosen}>
          <Check size={16} strokeWidth={3} aria-hidden />
        </span>
      )}
    </UnstyledButton>
  );
}

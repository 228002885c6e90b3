import { SimpleGrid, Skeleton, VisuallyHidden } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import type { BoardDto } from '../../api/index.ts';
import { uiWords, useIsPhone, useTiles } from '../../ui/index.ts';
import { BoardCard } from './BoardCard.tsx';
import classes from './BoardGrid.module.css';
import { words } from './words.ts';

const TILES = { gap: 20, column: (width: number) => (width < 600 ? width : 250) };

interface BoardGridProps {
  readonly boards: readonly BoardDto[];
  /** Called when the end comes near. */
  readonly onEnd: () => void;
}

export function BoardGrid({ boards, onEnd }: BoardGridProps) {
  const { length } = boards;
  const isPhone = useIsPhone();
  const ratios = useMemo(() => Array.from({ length }, () => (isPhone ? 0.66 : 0.92)), [length, isPhone]);
  const { ref, layout, shown } = useTiles<HTMLUListElement>(ratios, TILES);
  const last = shown.at(-1) ?? -1;
  useEffect(() => {
    if (last >= length - 4) onEnd();
  }, [last, length, onEnd]);
  return (
    <ul ref={ref} className={classes.grid} style={{ height: layout.height }} aria-label={words.title}>
      {shown.map((index) => {
        const { x, y, width, height } = layout.places[index]!;
        const board = boards[index]!;
        return (
          <li
            key={board.id}
            className={classes.place}
            style={{ width, height, transform: `translate(${x}px, ${y}px)` }}
            aria-setsize={length}
            aria-posinset={index + 1}
          >
            <BoardCard board={board} />
          </li>
        );
      })}
    </ul>
  );
}

export function BoardGridLoading() {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing={20} role="status">
      <VisuallyHidden>{uiWords.loading}</VisuallyHidden>
      {Array.from({ length: 8 }, (_, card) => (
        <Skeleton key={card} height={230} radius="lg" />
      ))}
    </SimpleGrid>
  );
}

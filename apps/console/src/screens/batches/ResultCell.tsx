import { Loader, Progress, Text } from '@mantine/core';
import { RotateCcw, Star } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { CellDto } from '../../api/index.ts';
import { capitalized } from '../../text.ts';
import { IconButton, MediaThumb, percent, TileBadge, uiWords } from '../../ui/index.ts';
import classes from './ResultGrid.module.css';
import { words } from './words.ts';

interface ResultCellProps {
  readonly id: string;
  readonly role: string;
  readonly 'aria-colindex': number;
  readonly className: string | undefined;
  readonly style: CSSProperties;
  readonly cell: CellDto;
  /** Its prompt and the values of its column. */
  readonly name: string;
  readonly rating: number;
  readonly isHeld: boolean;
  readonly isActive: boolean;
  readonly onOpen: () => void;
  readonly onRetry: (cell: CellDto) => void;
}

const text = words.results;
const WIDTH = 168;

/** A cell: its picture, its progress, or why there is none. */
export function ResultCell({ cell, name, rating, isHeld, isActive, onOpen, onRetry, ...place }: ResultCellProps) {
  const { generation } = cell;
  const hasFailed = generation.state === 'failed';
  const label = [name, stateOf(cell, isHeld), rating > 0 ? text.stars(rating) : ''].filter(Boolean).join(', ');
  return (
    <div
      {...place}
      aria-label={label}
      data-state={generation.state}
      data-active={isActive || undefined}
      onClick={onOpen}
    >
      <Content cell={cell} isHeld={isHeld} />
      {rating > 0 && (
        <TileBadge at="top-start" aria-hidden>
          {rating}
          <Star size={12} fill="currentColor" />
        </TileBadge>
      )}
      {hasFailed && (
        <IconButton
          icon={RotateCcw}
          iconSize={15}
          label={text.retryOf(name)}
          pos="absolute"
          right={8}
          bottom={8}
          variant="default"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            // The button goes with the failure.
            event.currentTarget.closest<HTMLElement>('[role=grid]')?.focus();
            onRetry(cell);
          }}
        />
      )}
    </div>
  );
}

function Content({ cell, isHeld }: Pick<ResultCellProps, 'cell' | 'isHeld'>) {
  const { generation, output } = cell;
  if (output !== null) {
    const further = generation.outputs.length - 1;
    return (
      <>
        <MediaThumb media={output} alt="" width={WIDTH} />
        {further > 0 && <TileBadge at="top-end">{text.more(further)}</TileBadge>}
      </>
    );
  }
  if (generation.state === 'running') {
    return (
      <span className={classes.note}>
        {generation.progress > 0 ? (
          <Progress w="70%" value={generation.progress * 100} aria-label={text.progress} />
        ) : (
          <Loader size={20} aria-hidden />
        )}
        {generation.progress > 0 && percent(generation.progress)}
      </span>
    );
  }
  if (generation.state === 'failed') {
    return (
      <span className={classes.note} data-failed>
        <Text span size="xs" lineClamp={4}>
          {stateOf(cell, isHeld)}
        </Text>
      </span>
    );
  }
  return <span className={classes.note}>{stateOf(cell, isHeld)}</span>;
}

/** The state of a cell in words. */
export function stateOf({ generation, output }: CellDto, isHeld: boolean): string {
  const { state, error, progress } = generation;
  if (state === 'queued') return isHeld ? text.held : text.waiting;
  if (state === 'running') return uiWords.generation.running(percent(progress));
  if (state === 'failed') return capitalized(error?.message ?? uiWords.generation.unknownFailure);
  if (state === 'canceled') return text.canceled;
  return output === null ? text.deleted : '';
}

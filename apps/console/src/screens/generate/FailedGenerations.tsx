import { Text } from '@mantine/core';
import { ArrowLeft, CircleAlert, CircleCheck, RotateCcw, SlidersHorizontal } from 'lucide-react';
import { type GenerationResponse, generationsListInfiniteOptions, usePages } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import {
  ActionButton,
  adviceFor,
  EmptyState,
  IconButton,
  MoreOfList,
  Note,
  QueryState,
  VirtualList,
  When,
} from '../../ui/index.ts';
import classes from './FailedGenerations.module.css';
import { Prompt, reasonOf } from './GenerationTile.tsx';
import { words } from './words.ts';

const text = words.failed;

export interface FailedActions {
  readonly label: string;
  readonly onOpen: () => void;
  /** Absent where its model is gone. */
  readonly onRetry?: () => void;
  readonly onUse?: () => void;
}

interface FailedGenerationsProps {
  readonly onClose: () => void;
  readonly actionsOf: (generation: GenerationResponse) => FailedActions;
}

/** The user's generations that failed, newest first; those of batches are on their walls. */
export function FailedGenerations({ onClose, actionsOf }: FailedGenerationsProps) {
  const { user } = useMe();
  const query = { state: 'failed', limit: 50, user_id: user.id, single: true } as const;
  const { list, items: generations } = usePages(generationsListInfiniteOptions({ query }), (page) => page.generations);
  return (
    <>
      <div>
        <ActionButton icon={ArrowLeft} label={text.back} variant="default" onClick={onClose} />
      </div>
      {!generations && <QueryState query={list} rows={4} height={80} />}
      {generations?.length === 0 && <EmptyState icon={CircleCheck} title={text.none} hint={text.noneHint} />}
      {generations && generations.length > 0 && (
        <VirtualList items={generations} label={text.title} keyOf={({ id }) => id} rowHeight={105} line="below">
          {(generation) => <FailedRow generation={generation} {...actionsOf(generation)} />}
        </VirtualList>
      )}
      <MoreOfList query={list} />
    </>
  );
}

interface FailedRowProps extends FailedActions {
  readonly generation: GenerationResponse;
}

/** A generation that failed, with the reason. */
function FailedRow({ generation, label, onOpen, onRetry, onUse }: FailedRowProps) {
  const { prompt, error, finished_at } = generation;
  return (
    <article aria-label={label} className={classes.row}>
      <CircleAlert size={19} color="var(--mantine-color-error)" aria-hidden />
      <div className={classes.what}>
        <Prompt prompt={prompt} onOpen={onOpen} />
        <Text size="sm" c="var(--mantine-color-error)" children={reasonOf(generation)} />
        <Text size="sm" children={adviceFor(error?.code ?? '')} />
        <Note component="div" children={<When at={finished_at} />} />
      </div>
      <div className={classes.actions}>
        {onRetry && (
          <ActionButton
            icon={RotateCcw}
            size="compact-sm"
            variant="default"
            label={words.tile.retry}
            onClick={onRetry}
          />
        )}
        {onUse && (
          <IconButton
            icon={SlidersHorizontal}
            label={words.tile.use}
            tooltip
            size="md"
            variant="default"
            onClick={onUse}
          />
        )}
      </div>
    </article>
  );
}

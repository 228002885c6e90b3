import { Button, Group, Text } from '@mantine/core';
import { TriangleAlert, WandSparkles } from 'lucide-react';
import { memo } from 'react';
import { type GenerationResponse, isOpen, type ModelDto } from '../../api/index.ts';
import { ItemGrid } from '../../library/index.ts';
import { useMe } from '../../shell/index.ts';
import {
  EmptyState,
  ErrorNotice,
  type FirstTile,
  Hint,
  later,
  MOST_UNDER_WAY,
  notifyDone,
  notifyError,
  offerUndo,
  type Sending,
  tileRatio,
  useCancel,
  usePreference,
  useUnderWay,
} from '../../ui/index.ts';
import type { FailedActions } from './FailedGenerations.tsx';
import { failuresAfter, firstTilesOf, lastOf } from './first-tiles.ts';
import { PendingTile, reasonOf } from './GenerationTile.tsx';
import { words } from './words.ts';

/** Rendered only while it is open. */
const FailedGenerations = later('onClose', async () => (await import('./FailedGenerations.tsx')).FailedGenerations);

interface ResultsProps {
  readonly models: readonly ModelDto[];
  readonly sending: readonly Sending[];
  /** True if all failed generations are shown in place of the grid. */
  readonly showsFailed: boolean;
  readonly onFailed: (isShown: boolean) => void;
  /** Opens a generation. */
  readonly onOpen: (id: number) => void;
  /** Starts a failed generation again. @returns whether that was accepted */
  readonly onRetry: (generation: GenerationResponse, model: ModelDto) => Promise<boolean>;
  /** Puts the settings of a generation into the composer. */
  readonly onUse: (generation: GenerationResponse, model: ModelDto) => void;
  readonly onFirst: () => void;
}

/** The pictures of the workspace; in first place what the user has under way, and above it a line about the rest. */
export const Results = memo(function Results(props: ResultsProps) {
  const { showsFailed, onFailed, onFirst } = props;
  const { actionsOf, tiles, others, failed, error, retry } = useFirstTiles(props);
  if (showsFailed) {
    return <FailedGenerations onClose={() => onFailed(false)} actionsOf={actionsOf} />;
  }
  return (
    <>
      {error && tiles.length === 0 && <ErrorNotice error={error} onRetry={retry} />}
      <StatusLine others={others} failed={failed} onShow={() => onFailed(true)} />
      <ItemGrid
        first={tiles}
        empty={
          <EmptyState
            icon={WandSparkles}
            title={words.empty}
            hint={words.emptyHint}
            action={<Button onClick={onFirst}>{words.makeFirst}</Button>}
          />
        }
      />
    </>
  );
});

type Named = Pick<GenerationResponse, 'model' | 'prompt'>;

/** The tiles before the pictures: what is sent and under way; and what has failed and was not dismissed. */
function useFirstTiles({ models, sending, onOpen, onRetry, onUse }: ResultsProps) {
  const { user } = useMe();
  const { underWay, failed, error, retry } = useUnderWay({ userId: user.id });
  const cancelOf = useCancelOf();
  const modelOf = (id: string) => models.find((each) => each.id === id);
  const labelOf = ({ model, prompt }: Named) => words.tile.label(modelOf(model)?.title ?? model, prompt);
  const actionsOf = (generation: GenerationResponse): FailedActions => {
    const model = modelOf(generation.model);
    return {
      label: labelOf(generation),
      onOpen: () => onOpen(generation.id),
      onRetry: model && (() => void onRetry(generation, model).catch(notifyError)),
      onUse: model && (() => onUse(generation, model)),
    };
  };
  const { tiles: own, others } = firstTilesOf(underWay, user.id);
  const tiles: FirstTile[] = [
    ...sending.map((each) => {
      const content = <PendingTile prompt={each.prompt} generation={null} />;
      return { key: each.key, ratio: 1, label: labelOf(each), content };
    }),
    ...own.map((each) => {
      const on = { onOpen: () => onOpen(each.id), onCancel: cancelOf(each) };
      const content = <PendingTile prompt={each.prompt} generation={each} {...on} />;
      return { key: String(each.id), ratio: ratioOf(each), label: labelOf(each), content };
    }),
  ];
  return { actionsOf, tiles, others, failed, error, retry };
}

interface StatusLineProps {
  /** How many generations are under way without a tile. */
  readonly others: number;
  /** The user's failures, newest first. */
  readonly failed: readonly GenerationResponse[];
  readonly onShow: () => void;
}

/** One line for what is under way elsewhere and for all that failed, until that is dismissed, for the account. */
function StatusLine({ others, failed, onShow }: StatusLineProps) {
  const text = words.status;
  const [dismissed, dismiss] = usePreference('dismissed_failures');
  const left = dismissed === undefined ? [] : failuresAfter(failed, dismissed);
  const takeAway = () => {
    dismiss(lastOf(left));
    offerUndo(text.dismissed(left.length), () => dismiss(dismissed ?? ''));
  };
  if (others === 0 && left.length === 0) return null;
  return (
    <Group gap="xs" role="status">
      {others > 0 && <Hint>{text.others(others)}</Hint>}
      {left.length > 0 && (
        <>
          <TriangleAlert size={16} aria-hidden color="var(--mantine-color-error)" />
          <Text size="sm" lineClamp={1} c="var(--mantine-color-error)">
            {left.length === 1
              ? text.failedOne(reasonOf(left[0]!))
              : text.failedMany(left.length, left.length < MOST_UNDER_WAY)}
          </Text>
          <Button size="compact-sm" variant="default" onClick={onShow} children={text.show} />
          <Button size="compact-sm" variant="subtle" onClick={takeAway} children={text.dismiss(left.length)} />
        </>
      )}
    </Group>
  );
}

/** How to cancel a generation; nothing once it has ended. */
function useCancelOf() {
  const cancel = useCancel();
  return (generation: GenerationResponse) =>
    isOpen(generation)
      ? () => void cancel(generation.id).then(() => notifyDone(words.canceled), notifyError)
      : undefined;
}

/** Height by width, as far as the parameters say. */
function ratioOf({ parameters: { width, height } }: GenerationResponse): number {
  return typeof width === 'number' && typeof height === 'number' ? tileRatio({ width, height }) : 1;
}

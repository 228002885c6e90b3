import { Button } from '@mantine/core';
import { TriangleAlert, WandSparkles } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { type GenerationResponse, isOpen, type ModelDto } from '../../api/index.ts';
import { ItemGrid } from '../../library/index.ts';
import { useMe } from '../../shell/index.ts';
import {
  EmptyState,
  ErrorNotice,
  type FirstTile,
  notifyDone,
  notifyError,
  offerUndo,
  type Sending,
  tileRatio,
  useCancel,
  useUnderWay,
} from '../../ui/index.ts';
import { FailedGenerations } from './FailedGenerations.tsx';
import { firstTilesOf } from './first-tiles.ts';
import { CountTile, FailedTile, PendingTile } from './GenerationTile.tsx';
import { useDismissed } from './use-dismissed.ts';
import { words } from './words.ts';

/** Room for the reason and the buttons. */
const FAILED_RATIO = 1.15;

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

/** The pictures of the workspace; in first place what is under way, and what has failed. */
export const Results = memo(function Results(props: ResultsProps) {
  const { showsFailed, onFailed, onFirst } = props;
  const { failedTile, labelOf, tiles, error, retry } = useFirstTiles(props);
  if (showsFailed) {
    return (
      <FailedGenerations onClose={() => onFailed(false)}>
        {(generation) => <article aria-label={labelOf(generation)}>{failedTile(generation)}</article>}
      </FailedGenerations>
    );
  }
  return (
    <>
      {error && tiles.length === 0 && <ErrorNotice error={error} onRetry={retry} />}
      <ItemGrid
        first={tiles}
        tools={
          <Button
            variant="default"
            leftSection={<TriangleAlert size={16} aria-hidden />}
            onClick={() => onFailed(true)}
          >
            {words.failed.show}
          </Button>
        }
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

/** The tiles before the pictures: what is sent and under way, and what has failed and was not dismissed. */
function useFirstTiles({ models, sending, onFailed, onOpen, onRetry, onUse }: ResultsProps) {
  const { user } = useMe();
  const { underWay, failed, error, retry } = useUnderWay({ userId: user.id, isOwn: true });
  const { left, dismiss, takeAway } = useLeft(failed);
  const cancelOf = useCancelOf();
  const modelOf = (id: string) => models.find((each) => each.id === id);
  const labelOf = ({ model, prompt }: Named) => words.tile.label(modelOf(model)?.title ?? model, prompt);
  const first = firstTilesOf(underWay, left);
  const failedTile = (generation: GenerationResponse, onDismiss?: () => void) => {
    const model = modelOf(generation.model);
    const again = async (of: ModelDto) => {
      if (await onRetry(generation, of)) dismiss(generation.id);
    };
    return (
      <FailedTile
        generation={generation}
        onOpen={() => onOpen(generation.id)}
        onRetry={model && (() => void again(model).catch(notifyError))}
        onUse={model && (() => onUse(generation, model))}
        onDismiss={onDismiss}
      />
    );
  };
  const pendingTile = (generation: GenerationResponse) => {
    const { id, prompt } = generation;
    const on = { onOpen: () => onOpen(id), onCancel: cancelOf(generation) };
    return <PendingTile prompt={prompt} generation={generation} {...on} />;
  };
  const tileOf = (generation: GenerationResponse, ratio: number, content: ReactNode): FirstTile => ({
    key: String(generation.id),
    label: labelOf(generation),
    ratio,
    content,
  });
  const tiles: FirstTile[] = [
    ...sending.map((each) => {
      const content = <PendingTile prompt={each.prompt} generation={null} />;
      return { key: each.key, ratio: 1, label: labelOf(each), content };
    }),
    ...first.underWay.map((each) => tileOf(each, ratioOf(each), pendingTile(each))),
    ...countTile('waiting', words.tile.waitingMany, first.waiting),
    ...countTile('failed', words.tile.failedMany, first.failedTogether.length, {
      onShow: () => onFailed(true),
      onDismiss: () => takeAway(first.failedTogether),
    }),
    ...first.failed.map((each) =>
      tileOf(
        each,
        FAILED_RATIO,
        failedTile(each, () => takeAway([each])),
      ),
    ),
  ];
  return { failedTile, labelOf, tiles, error, retry };
}

/** The failed generations that were not dismissed. */
function useLeft(failed: readonly GenerationResponse[]) {
  const { dismissed, dismiss, restore } = useDismissed();
  const takeAway = (all: readonly GenerationResponse[]) => {
    for (const { id } of all) dismiss(id);
    offerUndo(words.tile.dismissed(all.length), () => all.forEach(({ id }) => restore(id)));
  };
  return { left: failed.filter(({ id }) => !dismissed.includes(id)), dismiss, takeAway };
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

/** One tile for many generations; none for none. */
function countTile(
  key: string,
  textOf: (count: number) => string,
  count: number,
  actions?: Omit<Parameters<typeof CountTile>[0], 'text'>,
): FirstTile[] {
  if (count === 0) return [];
  const text = textOf(count);
  return [{ key, ratio: 0.5, label: text, content: <CountTile text={text} {...actions} /> }];
}

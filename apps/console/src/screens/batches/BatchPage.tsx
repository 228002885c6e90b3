import { Group, Select } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { StarOff } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { type BatchDto, type CellDto, x12 } from '../../api/index.ts';
import { BatchButton } from '../../batch-form/index.ts';
import { useNames } from '../../shell/index.ts';
import {
  ActionButton,
  csvOf,
  EmptyState,
  Hint,
  NextPageError,
  number,
  Page,
  QueryState,
  saveCsv,
  useListState,
} from '../../ui/index.ts';
import { batchLines } from './batch-csv.ts';
import { BatchStage } from './BatchStage.tsx';
import { ratingOf } from './best.ts';
import { resultNames } from './cell-names.ts';
import { KeepChosen } from './KeepChosen.tsx';
import { useBatch } from './use-batch.ts';
import { useRate, useRatings } from './use-ratings.ts';
import { filtered, positionOf, resultsOf } from './results.ts';
import { useCommand, ResultBar } from './ResultBar.tsx';
import { type Position, ResultGrid } from './ResultGrid.tsx';
import { words } from './words.ts';

const ABSENT = { rating: 0, open: '' };
const RATINGS = [1, 2, 3, 4, 5];

/** The grid of a batch. */
export function BatchPage() {
  const { batchId } = useParams({ strict: false }) as { readonly batchId: string };
  const { list, batch, cells } = useBatch(Number(batchId));
  return (
    <Page
      title={batch?.name ?? words.untitled}
      actions={<BatchButton source={null} size="sm" children={words.create} />}
    >
      {!list.data && <QueryState query={list} rows={4} height={120} />}
      {batch && cells && <BatchResults key={batch.id} batch={batch} cells={cells} />}
      <NextPageError query={list} />
    </Page>
  );
}

interface BatchResultsProps {
  readonly batch: BatchDto;
  readonly cells: readonly CellDto[];
}

function BatchResults({ batch, cells }: BatchResultsProps) {
  const { names, ratings, rate, least, setLeast, whole, results, open, show, active, setActive } = useResults(
    batch,
    cells,
  );
  const { send } = useCommand();
  const ofResults = useMemo(() => resultNames(names, cells, whole.columns.length), [names, cells, whole]);
  const isHeld = batch.state === 'paused';
  const openCell = useCallback((cell: CellDto) => show(firstOf(cell)), [show]);
  const { id } = batch;
  const retry = useCallback(
    ({ cell }: CellDto) => void send(() => x12.batches.retry({ id, cells: [cell] })),
    [send, id],
  );
  return (
    <>
      <ResultBar batch={batch} onCsv={() => saveCsv(words.csv.file(batch.name), csvOf(batchLines(cells, ratings)))} />
      <Group gap="sm" justify="space-between">
        <Hint>{whole.common.map(ofResults.nameOf).join(' · ')}</Hint>
        <Group gap="sm">
          <KeepChosen cells={cells} ratings={ratings} />
          <RatingFilter value={least} onChange={setLeast} />
        </Group>
      </Group>
      {cells.length < batch.cells.total && (
        <Hint role="status">{words.results.reading(number(cells.length), number(batch.cells.total))}</Hint>
      )}
      {results.rows.length > 0 ? (
        <ResultGrid
          {...{ results, ratings, isHeld, active }}
          names={ofResults}
          onActive={setActive}
          onOpen={openCell}
          onRate={({ output }, stars) => output && rate(output.file_id, stars)}
          onRetry={retry}
        />
      ) : (
        <NoneRated onShowAll={() => setLeast(0)} />
      )}
      <BatchStage
        {...{ results, names, ratings, isHeld, open }}
        total={batch.cells.total}
        onOpen={show}
        onRate={rate}
        onRetry={retry}
      />
    </>
  );
}

/** The cells with at least so many stars, the one that is open, and the one that keys act on. */
function useResults(batch: BatchDto, cells: readonly CellDto[]) {
  const [{ rating: least, open }, change] = useListState(ABSENT);
  const names = useNames();
  const ratings = useRatings(batch);
  const rate = useRate();
  const [active, setActive] = useState<Position>({ row: 0, column: 0 });
  const whole = useMemo(() => resultsOf(batch.axes, cells), [batch.axes, cells]);
  const results = useMemo(
    () => (least > 0 ? filtered(whole, (cell) => ratingOf(cell, ratings) >= least) : whole),
    [whole, least, ratings],
  );
  const show = useCallback(
    (next: string) => {
      change({ open: next }, { push: next !== '' });
      const place = next === '' ? null : positionOf(results, Number.parseInt(next, 10));
      // The grid then goes on from the cell that was seen last.
      if (place) setActive(place);
    },
    [change, results],
  );
  const setLeast = (rating: number) => change({ rating });
  return { names, ratings, rate, least, setLeast, whole, results, open, show, active, setActive };
}

function RatingFilter({ value, onChange }: { readonly value: number; readonly onChange: (least: number) => void }) {
  return (
    <Select
      w={190}
      aria-label={words.best.label}
      allowDeselect={false}
      data={[
        { value: '0', label: words.best.all },
        ...RATINGS.map((stars) => ({
          value: String(stars),
          label: stars === 1 ? words.best.rated : words.best.least(stars),
        })),
      ]}
      value={String(value)}
      onChange={(stars) => onChange(Number(stars))}
    />
  );
}

function NoneRated({ onShowAll }: { readonly onShowAll: () => void }) {
  return (
    <EmptyState
      icon={StarOff}
      title={words.results.noneRated}
      hint={words.results.noneRatedHint}
      action={<ActionButton label={words.results.showAll} variant="default" onClick={onShowAll} />}
    />
  );
}

function firstOf({ cell, output }: CellDto): string {
  return output === null ? String(cell) : `${cell}-${output.index}`;
}

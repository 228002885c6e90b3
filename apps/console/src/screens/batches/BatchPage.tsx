import { Group, Select } from '@mantine/core';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { StarOff } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { type BatchDto, type CellDto, libraryListInfiniteOptions, x12, useAllPages } from '../../api/index.ts';
import { BatchButton } from '../../batch-form/index.ts';
import { useNames } from '../../shell/index.ts';
import { Changes, useShown } from '../../state/index.ts';
import {
  ActionButton,
  csvOf,
  EmptyState,
  Hint,
  NextPageError,
  notifyError,
  number,
  Page,
  QueryState,
  saveCsv,
  useListState,
} from '../../ui/index.ts';
import { batchLines } from './batch-csv.ts';
import { BatchStage } from './BatchStage.tsx';
import { rated, ratingOf, type Ratings } from './best.ts';
import { resultNames } from './cell-names.ts';
import { KeepChosen } from './KeepChosen.tsx';
import { ResultBar, useCommand } from './ResultBar.tsx';
import { type Position, ResultGrid } from './ResultGrid.tsx';
import { filtered, positionOf, resultsOf } from './results.ts';
import { useBatch } from './use-batch.ts';
import { words } from './words.ts';

const ABSENT = { rating: 0, open: '' };
const RATINGS = [1, 2, 3, 4, 5];

/** The grid of a batch. */
export function BatchPage() {
  const { batchId } = useParams({ strict: false }) as { readonly batchId: string };
  const { list, batch, cells } = useBatch(Number(batchId));
  return (
    <Page
      isWide
      title={batch?.name ?? words.untitled}
      actions={<BatchButton source={null} size="sm" children={words.create} />}
    >
      {!list.data && <QueryState query={list} rows={4} height={120} />}
      {batch && cells && <BatchResults key={batch.id} batch={batch} cells={cells} />}
      <NextPageError query={list} />
    </Page>
  );
}

function BatchResults({ batch, cells }: { readonly batch: BatchDto; readonly cells: readonly CellDto[] }) {
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

const PAGE = 200;
/** Exceeds the time between the end of a batch and the time of its last output. */
const SLACK_MS = 60_000;
const NONE: Ratings = new Map();

const changes = new Changes<Ratings>('library');

/** The ratings of the outputs that were made while the batch ran: the library knows those with a rating, which are few. */
function useRatings({ created_at, ended_at }: Pick<BatchDto, 'created_at' | 'ended_at'>): Ratings {
  const before = ended_at === null ? undefined : new Date(Date.parse(ended_at) + SLACK_MS).toISOString();
  const query = { origin: 'output', rating: 1, after: created_at, before, limit: PAGE } as const;
  const options = { ...libraryListInfiniteOptions({ query }), placeholderData: keepPreviousData };
  const { items } = useAllPages(options, (page) => page.items);
  const read = useMemo(() => new Map(items?.map(({ file_id, rating }) => [file_id, rating])), [items]);
  return useShown(changes, read) ?? NONE;
}

/** Rates a file, which is shown at once; 0 takes the rating off. */
function useRate() {
  const queries = useQueryClient();
  return useCallback(
    (fileId: number, rating: number) => {
      const show = (ratings: Ratings) => rated(ratings, fileId, rating);
      changes.make(queries, show, () => x12.library.update({ file_id: fileId, rating })).catch(notifyError);
    },
    [queries],
  );
}

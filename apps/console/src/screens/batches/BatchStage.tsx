import { Box, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import type { CellDto, OutputDto } from '../../api/index.ts';
import { RATINGS, Stars } from '../../library/index.ts';
import type { Names } from '../../shell/index.ts';
import {
  actedOn,
  ActionButton,
  Credits,
  FactList,
  FailureNotice,
  Lineage,
  MediaViewer,
  NoOutputs,
  number,
  OutputMenu,
  TaskButtons,
  uiWords,
  type ViewedMedia,
} from '../../ui/index.ts';
import { settingLabel, settingText } from '../../text.ts';
import type { Ratings } from './best.ts';
import { cellAt, inOrder, type Results } from './results.ts';
import { stateOf } from './ResultCell.tsx';
import { words } from './words.ts';

interface BatchStageProps {
  readonly results: Results;
  readonly total: number;
  readonly names: Names;
  readonly ratings: Ratings;
  readonly isHeld: boolean;
  /** A cell, and after a hyphen its output; empty while the stage is closed. */
  readonly open: string;
  readonly onOpen: (open: string) => void;
  readonly onRate: (fileId: number, rating: number) => void;
  readonly onRetry: (cell: CellDto) => void;
}

interface Shown extends ViewedMedia {
  readonly id: string;
  readonly cell: CellDto;
  readonly output: OutputDto | null;
}

const text = words.stage;

/** The cells of the grid over the whole window, row by row, with all their outputs. Up and down lead to other rows. */
export function BatchStage(props: BatchStageProps) {
  const { results, names, total, ratings, isHeld, open, onOpen, onRate, onRetry } = props;
  const isOpen = open !== '';
  const shown = useMemo(() => (isOpen ? inOrder(results).flatMap(shownOf) : []), [results, isOpen]);
  // The outputs of a cell that was opened before it had any.
  const at = shown.find(({ id }) => id === open) ?? shown.find(({ cell }) => cell.cell === Number.parseInt(open, 10));
  const leap = (step: number) => {
    const next = at && neighbour(results, at.cell, step);
    if (next) onOpen(shownOf(next)[0]!.id);
  };
  const rateBy = (stars: number) => () => at?.output && onRate(at.output.file_id, stars);
  const keys = {
    ArrowUp: () => leap(-1),
    ArrowDown: () => leap(1),
    ...Object.fromEntries(RATINGS.map((stars) => [String(stars), rateBy(stars)])),
  };
  return (
    <MediaViewer
      media={shown}
      openId={at?.id ?? null}
      onOpen={(id) => onOpen(id ?? '')}
      origin={({ cell, output }) => (output ? actedOn(cell.generation, output) : { pid: null, output: null })}
      keys={keys}
      toolbar={({ cell, output }) => output && <TaskButtons on={actedOn(cell.generation, output)} />}
      absent={({ cell }) => <Absent cell={cell} isHeld={isHeld} onRetry={() => onRetry(cell)} />}
      details={(item) => <Details shown={item} {...{ names, ratings, total, onRate }} />}
      actions={({ cell, output }) =>
        output && <OutputMenu generation={cell.generation} output={output} label={uiWords.output.this} />
      }
    />
  );
}

function shownOf(cell: CellDto): readonly Shown[] {
  const { outputs, prompt } = cell.generation;
  const name = prompt ?? words.results.noPrompt;
  if (outputs.length === 0) return [{ id: String(cell.cell), name, url: null, content_type: null, cell, output: null }];
  return outputs.map((output) => ({ ...output, id: `${cell.cell}-${output.index}`, name, cell, output }));
}

/** The next cell above or below that the grid has in the same column. */
function neighbour(results: Results, cell: CellDto, step: number): CellDto | undefined {
  for (const column of results.columns) {
    const inColumn = results.rows.flatMap((row) => cellAt(results, row, column) ?? []);
    const at = inColumn.indexOf(cell);
    if (at >= 0) return inColumn[at + step];
  }
  return undefined;
}

interface AbsentProps {
  readonly cell: CellDto;
  readonly isHeld: boolean;
  readonly onRetry: () => void;
}

/** Replacement for a missing picture. */
function Absent({ cell, isHeld, onRetry }: AbsentProps) {
  const { generation } = cell;
  if (generation.state === 'failed') {
    return (
      <Box maw={460}>
        <FailureNotice generation={generation}>
          <Group mt="sm">
            <ActionButton
              icon={RotateCcw}
              iconSize={15}
              label={words.results.retry}
              size="xs"
              variant="default"
              onClick={onRetry}
            />
          </Group>
        </FailureNotice>
      </Box>
    );
  }
  if (generation.state === 'succeeded') return <NoOutputs generation={generation} />;
  return (
    <Stack align="center" gap="sm">
      {generation.state === 'running' && <Loader aria-hidden />}
      <Text fw={600} role="status">
        {stateOf(cell, isHeld)}
      </Text>
    </Stack>
  );
}

interface DetailsProps extends Pick<BatchStageProps, 'names' | 'ratings' | 'total' | 'onRate'> {
  readonly shown: Shown;
}

/** The rating and the settings of a cell. */
function Details({ shown, names, ratings, total, onRate }: DetailsProps) {
  const { cell, output } = shown;
  const { generation } = cell;
  const { width, height } = output ?? {};
  return (
    <Stack gap="lg">
      {output && (
        <div>
          <Text component="h2" fw={600} mb={6} id="rating">
            {text.rating}
          </Text>
          <Stars
            value={ratings.get(output.file_id) ?? 0}
            size="lg"
            aria-labelledby="rating"
            onRate={(stars) => onRate(output.file_id, stars)}
          />
        </div>
      )}
      <Group>
        <Button component={Link} to="/generate" search={{ from: generation.id } as never} variant="light">
          {text.settings}
        </Button>
      </Group>
      {output && <Lineage generation={generation} />}
      <FactList
        facts={[
          [text.facts.prompt, generation.prompt],
          [text.facts.model, names.modelOf(generation)],
          [text.facts.persona, generation.pid && names.personaOf(generation)],
          [text.facts.style, generation.style?.name ?? null],
          ...Object.entries(generation.parameters).map(
            ([name, value]) => [settingLabel(name), settingText(value)] as const,
          ),
          [text.facts.cell, text.cell(cell.cell, total)],
          [text.facts.size, width && height ? text.pixels(number(width), number(height)) : null],
          [text.facts.cost, <Credits key="cost" amount={generation.state === 'succeeded' ? generation.cost : 0} />],
        ]}
      />
    </Stack>
  );
}

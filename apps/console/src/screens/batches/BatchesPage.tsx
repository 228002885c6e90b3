import { Anchor, Badge, Progress, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Grid3x3 } from 'lucide-react';
import { type BatchDto, batchesListInfiniteOptions, usePages } from '../../api/index.ts';
import { BatchButton } from '../../batch-form/index.ts';
import {
  type Column,
  column,
  DataTable,
  EmptyState,
  MoreOfList,
  number,
  Page,
  QueryState,
  Section,
  When,
} from '../../ui/index.ts';
import { words } from './words.ts';

const PAGE = 50;
const POLL_MS = 5000;

const isOpen = ({ state }: BatchDto) => state !== 'ended';

const COLUMNS: readonly Column<BatchDto>[] = [
  column(words.list.name, 'minmax(0, 3fr)', ({ id, name }) => (
    <Anchor component={Link} to={`/batches/${id}`} fw={600} lineClamp={2} dir="auto">
      {name}
    </Anchor>
  )),
  column(words.list.state, '7rem', ({ state }) => (
    <Badge color={state === 'running' ? 'sea' : 'gray'}>{words.states[state]}</Badge>
  )),
  column(words.list.cells, 'minmax(0, 2fr)', ({ cells }) => (
    <>
      <Text size="sm">
        {words.list.done(number(cells.succeeded), number(cells.total))}
        {cells.failed > 0 && (
          <Text span inherit c="var(--mantine-color-error)">
            , {words.bar.failed(cells.failed)}
          </Text>
        )}
      </Text>
      <Progress size="xs" mt={4} value={(cells.succeeded / cells.total) * 100} aria-label={words.bar.label} />
    </>
  )),
  column(words.list.credits, '6rem', ({ used }) => number(used), { isRight: true }),
  column(words.list.created, '9rem', ({ created_at }) => <When at={created_at} size="sm" />),
];

/** The batches of the workspace, newest first. */
export function BatchesPage() {
  const { list, items: batches = [] } = usePages(
    {
      ...batchesListInfiniteOptions({ query: { limit: PAGE } }),
      refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.batches.some(isOpen)) ? POLL_MS : false),
    },
    (page) => page.batches,
  );
  return (
    <Page
      title={words.title}
      hint={words.hint}
      actions={<BatchButton source={null} size="sm" children={words.create} />}
    >
      {!list.data && <QueryState query={list} rows={6} height={60} />}
      {list.data && batches.length === 0 && <EmptyState icon={Grid3x3} title={words.empty} hint={words.emptyHint} />}
      {batches.length > 0 && (
        <Section>
          <DataTable label={words.title} rows={batches} columns={COLUMNS} keyOf={({ id }) => id} />
        </Section>
      )}
      <MoreOfList query={list} />
    </Page>
  );
}

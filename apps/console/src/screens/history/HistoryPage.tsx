import { Button, Drawer, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Clock, Columns2, SearchX } from 'lucide-react';
import { useCallback, useState } from 'react';
import {
  EmptyState,
  ErrorNotice,
  Loading,
  NextPageError,
  Page,
  useIsPhone,
  useListState,
  VirtualList,
} from '../../ui/index.ts';
import { words } from '../../words.ts';
import { Compare } from './Compare.tsx';
import { Filters } from './Filters.tsx';
import { GenerationDetails } from './GenerationDetails.tsx';
import { filtersSet, NO_FILTER, pairOf } from './history-query.ts';
import classes from './HistoryPage.module.css';
import { HistoryRow } from './HistoryRow.tsx';
import { useHistory, useNames } from './use-history.ts';

const said = words.history;
const ABSENT = { ...NO_FILTER };
const NONE_CHOSEN: { readonly chosen: readonly number[]; readonly replaced: number | null } = {
  chosen: [],
  replaced: null,
};

/** All generations of the workspace. */
export function HistoryPage() {
  const [state, change] = useListState(ABSENT);
  const { list, generations, more } = useHistory(state);
  const names = useNames();
  const isPhone = useIsPhone();
  const { chosen, replaced, choose, clear } = useChosen();
  const open = useCallback((id: number) => change({ open: id }, { push: true }), [change]);
  return (
    <Page title={said.title}>
      <Filters filter={state} names={names} onChange={(part) => change(part)} />
      {list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading rows={8} height={76} />}
      {list.data && generations.length === 0 && (
        <Nothing isFiltered={filtersSet(state).length > 0} onClear={() => change({ ...NO_FILTER })} />
      )}
      {generations.length > 0 && (
        <Paper radius="lg" shadow="xs" className={classes.list} data-old={list.isPlaceholderData || undefined}>
          <VirtualList items={generations} label={said.title} keyOf={({ id }) => id} rowHeight={77} onEnd={more}>
            {(generation) => (
              <HistoryRow
                generation={generation}
                model={names.modelOf(generation)}
                persona={names.personaOf(generation)}
                member={names.members.length > 1 ? names.memberOf(generation) : null}
                isChosen={chosen.includes(generation.id)}
                onChoose={choose}
                onOpen={open}
              />
            )}
          </VirtualList>
        </Paper>
      )}
      {list.isFetchingNextPage && <Loading rows={2} height={76} />}
      <NextPageError query={list} />
      {chosen.length > 0 && (
        <Chosen
          chosen={chosen}
          replaced={replaced}
          onClear={clear}
          onCompare={() => change({ compare: chosen.join('-') }, { push: true })}
        />
      )}
      <Drawer
        opened={state.open > 0}
        onClose={() => change({ open: 0 })}
        position="right"
        size={isPhone ? '100%' : 560}
        title={said.details.title(state.open)}
      >
        {state.open > 0 && (
          <GenerationDetails
            key={state.open}
            id={state.open}
            known={generations.find(({ id }) => id === state.open)}
            names={names}
          />
        )}
      </Drawer>
      <Compare pair={pairOf(state.compare)} names={names} onClose={() => change({ compare: '' })} />
    </Page>
  );
}

/** At most two chosen generations, in the order of choice. A third replaces the first, which is then `replaced`. */
function useChosen() {
  const [{ chosen, replaced }, setChoice] = useState(NONE_CHOSEN);
  const choose = useCallback(
    (id: number) =>
      setChoice(({ chosen: before }) => {
        if (before.includes(id)) return { chosen: before.filter((each) => each !== id), replaced: null };
        return { chosen: [...before, id].slice(-2), replaced: before.length === 2 ? before[0]! : null };
      }),
    [],
  );
  const clear = useCallback(() => setChoice(NONE_CHOSEN), []);
  return { chosen, replaced, choose, clear };
}

interface ChosenProps {
  readonly chosen: readonly number[];
  /** The generation that the last choice replaced. */
  readonly replaced: number | null;
  readonly onClear: () => void;
  readonly onCompare: () => void;
}

function Chosen({ chosen, replaced, onClear, onCompare }: ChosenProps) {
  const { oneMore, ready, replaced: isReplaced } = said.compare;
  const text = chosen.length < 2 ? oneMore : replaced === null ? ready : isReplaced(replaced);
  return (
    <div className={classes.chosen} role="status">
      <Text size="sm" fw={560}>
        {text}
      </Text>
      <Button size="xs" variant="default" onClick={onClear}>
        {words.ui.cancel}
      </Button>
      <Button
        size="xs"
        disabled={chosen.length < 2}
        leftSection={<Columns2 size={15} aria-hidden />}
        onClick={onCompare}
      >
        {said.compare.action}
      </Button>
    </div>
  );
}

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  if (isFiltered) {
    const clear = (
      <Button variant="default" onClick={onClear}>
        {said.filters.clear}
      </Button>
    );
    return <EmptyState icon={SearchX} title={said.noMatches} hint={said.noMatchesHint} action={clear} />;
  }
  const generate = (
    <Button component={Link} to="/generate">
      {words.generate.title}
    </Button>
  );
  return <EmptyState icon={Clock} title={said.empty} hint={said.emptyHint} action={generate} />;
}

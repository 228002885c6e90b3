import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Images, Plus, SearchX } from 'lucide-react';
import { useState } from 'react';
import { boardsListInfiniteOptions, usePages, x12 } from '../../api/index.ts';
import { EmptyState, ErrorNotice, Page, SearchField, useListState, useNextPage } from '../../ui/index.ts';
import { BoardGrid, BoardGridLoading } from './BoardGrid.tsx';
import { NameDialog } from './dialogs.ts';
import { words } from './words.ts';

const ABSENT = { q: '' };
/** How often the list is read again, as others add boards too. */
const LOOK_EVERY_MS = 10_000;

export function BoardsPage() {
  const [{ q }, change] = useListState(ABSENT);
  const [isCreating, setCreating] = useState(false);
  const navigate = useNavigate();
  const create = async (name: string) => {
    const { board } = await x12.boards.create({ name });
    await navigate({ to: '/boards/$boardId', params: { boardId: String(board.id) } });
  };
  return (
    <Page
      title={words.title}
      hint={words.hint}
      actions={
        <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      }
    >
      <SearchField label={words.search} value={q} onChange={(to) => change({ q: to })} />
      <BoardList q={q} onCreate={() => setCreating(true)} onClear={() => change({ q: '' })} />
      <NameDialog
        opened={isCreating}
        onClose={() => setCreating(false)}
        title={words.create}
        action={words.createAction}
        placeholder={words.namePlaceholder}
        onSubmit={create}
      />
    </Page>
  );
}

interface BoardListProps {
  readonly q: string;
  readonly onCreate: () => void;
  readonly onClear: () => void;
}

function BoardList({ q, onCreate, onClear }: BoardListProps) {
  const [text] = useDebouncedValue(q.trim(), 200);
  const options = boardsListInfiniteOptions({ query: { limit: 60, ...(text !== '' && { q: text }) } });
  const { list, items: boards = [] } = usePages(
    { ...options, placeholderData: keepPreviousData, refetchInterval: LOOK_EVERY_MS },
    (page) => page.boards,
  );
  const onEnd = useNextPage(list);
  if (list.isPending) return <BoardGridLoading />;
  return (
    <>
      {list.error && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {boards.length > 0 && <BoardGrid boards={boards} onEnd={onEnd} />}
      {boards.length === 0 && !list.error && <NoBoards q={text} onCreate={onCreate} onClear={onClear} />}
    </>
  );
}

function NoBoards({ q, onCreate, onClear }: BoardListProps) {
  if (q !== '') {
    const action = (
      <Button variant="default" onClick={onClear}>
        {words.clearSearch}
      </Button>
    );
    return <EmptyState icon={SearchX} title={words.noMatches(q)} hint={words.noMatchesHint} action={action} />;
  }
  return (
    <EmptyState
      icon={Images}
      title={words.empty}
      hint={words.emptyHint}
      action={<Button onClick={onCreate}>{words.createFirst}</Button>}
    />
  );
}

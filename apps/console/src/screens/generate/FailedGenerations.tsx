import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowLeft, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { type GenerationResponse, generationsListInfiniteOptions } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { EmptyState, ErrorNotice, Loading, MoreOfList } from '../../ui/index.ts';
import classes from './GenerationTile.module.css';
import { words } from './words.ts';

const text = words.failed;

interface FailedGenerationsProps {
  readonly onClose: () => void;
  readonly children: (generation: GenerationResponse) => ReactNode;
}

/** The user's generations that failed, newest first. */
export function FailedGenerations({ onClose, children }: FailedGenerationsProps) {
  const { user } = useMe();
  const list = useInfiniteQuery({
    ...generationsListInfiniteOptions({ query: { state: 'failed', limit: 50, user_id: user.id } }),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor,
  });
  const generations = list.data?.pages.flatMap((page) => page.generations) ?? [];
  return (
    <>
      <div>
        <Button variant="default" leftSection={<ArrowLeft size={16} aria-hidden />} onClick={onClose}>
          {text.back}
        </Button>
      </div>
      {list.error && !list.data && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading rows={2} height={215} />}
      {list.data && generations.length === 0 && (
        <EmptyState icon={CircleCheck} title={text.none} hint={text.noneHint} />
      )}
      <ul className={classes.mosaic} aria-label={text.title}>
        {generations.map((generation) => (
          <li key={generation.id}>{children(generation)}</li>
        ))}
      </ul>
      <MoreOfList query={list} />
    </>
  );
}

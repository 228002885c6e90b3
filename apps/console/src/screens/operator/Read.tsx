import { Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton, Note, QueryState, Section, When } from '../../ui/index.ts';
import { words } from './words.ts';

interface ReadProps<T> {
  readonly title?: string;
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'isPending' | 'dataUpdatedAt'> & {
    readonly refetch: () => unknown;
  };
  /** Buttons beside the time of the read. */
  readonly actions?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** Data with the time of its read, and a button that reads it again. The data stays if that fails. */
export function Read<T>({ title, query, actions, children }: ReadProps<T>) {
  const { data } = query;
  return (
    <Section
      title={title}
      actions={
        <Group gap="sm" ms="auto">
          <Freshness query={query} />
          {actions}
        </Group>
      }
    >
      <QueryState query={query} rows={5} height={48} />
      {data !== undefined && children(data)}
    </Section>
  );
}

interface FreshnessProps {
  readonly query: Pick<ReadProps<unknown>['query'], 'refetch' | 'isFetching' | 'dataUpdatedAt'>;
}

function Freshness({ query: { refetch, isFetching, dataUpdatedAt } }: FreshnessProps) {
  return (
    <Group gap={4}>
      <Note>
        {dataUpdatedAt > 0 && (
          <>
            {words.updated} <When key={dataUpdatedAt} at={new Date(dataUpdatedAt).toISOString()} />
          </>
        )}
      </Note>
      <IconButton icon={RefreshCw} label={words.refresh} tooltip loading={isFetching} onClick={() => void refetch()} />
    </Group>
  );
}

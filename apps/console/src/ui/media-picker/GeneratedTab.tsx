import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { generationsListInfiniteOptions } from '../../api/index.ts';
import { words } from '../words.ts';
import type { PickedMedia, PickTabProps } from './picked-media.ts';
import { PickGrid } from './PickGrid.tsx';

export function GeneratedTab(props: PickTabProps) {
  const list = useInfiniteQuery({
    ...generationsListInfiniteOptions({ query: { limit: 50 } }),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor,
  });
  const media = useMemo(
    () =>
      list.data?.pages.flatMap(({ generations }) =>
        generations.flatMap(({ outputs, prompt, id }): PickedMedia[] =>
          outputs.map((output) => ({
            ...output,
            name: prompt || words.picker.output(id),
            output: { generation_id: id, output: output.index },
          })),
        ),
      ) ?? null,
    [list.data],
  );
  return <PickGrid {...props} media={media} list={list} />;
}

import { generationsListInfiniteOptions, usePages } from '../../api/index.ts';
import { words } from '../words.ts';
import type { PickedMedia, PickTabProps } from './picked-media.ts';
import { PickGrid } from './PickGrid.tsx';

export function GeneratedTab(props: PickTabProps) {
  const options = generationsListInfiniteOptions({ query: { limit: 50 } });
  const { list, items } = usePages(options, ({ generations }) =>
    generations.flatMap(({ outputs, prompt, id }): PickedMedia[] =>
      outputs.map((output) => ({
        ...output,
        name: prompt || words.picker.output(id),
        output: { generation_id: id, output: output.index },
      })),
    ),
  );
  return <PickGrid {...props} media={items} list={list} />;
}

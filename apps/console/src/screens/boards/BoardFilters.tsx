import { Box, Group } from '@mantine/core';
import { TagsField } from '../../library/index.ts';
import { FilterBar, FilterChoice, SearchField } from '../../ui/index.ts';
import { SORTS } from './board-order.ts';
import type { BoardFilter } from './use-folder-view.ts';
import { words } from './words.ts';

const text = words.filters;
const CHOICES = SORTS.map((id) => ({ id, name: text.sorts[id] }));

interface BoardFiltersProps {
  /** True if anything but the order by hand of all is shown. */
  readonly isSet: boolean;
  readonly filter: BoardFilter;
  readonly tags: readonly string[];
  readonly onFilter: (part: Partial<BoardFilter>) => void;
}

/** The search in a board, its tags and its order. */
export function BoardFilters({ filter, tags, onFilter }: BoardFiltersProps) {
  const isSet = filter.q !== '' || filter.tags !== '' || filter.decision !== '';
  return (
    <Group gap="sm" align="flex-start">
      <SearchField label={text.search} value={filter.q} onChange={(q) => onFilter({ q })} />
      <Box maw="100%">
        <FilterBar
          isStrip
          first={
            <>
              <FilterChoice
                label={text.sort}
                all={text.sorts.manual}
                value={filter.sort}
                data={CHOICES}
                onChange={(sort) => onFilter({ sort: sort ?? '' })}
              />
              <TagsField
                tags={tags}
                label={text.tags}
                hint={text.anyTag}
                onChange={(next) => onFilter({ tags: next.join(',') })}
              />
            </>
          }
          onClear={isSet ? () => onFilter({ q: '', tags: '', decision: '' }) : null}
        />
      </Box>
    </Group>
  );
}

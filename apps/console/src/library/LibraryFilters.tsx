import { ColorInput, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tagsListOptions } from '../api/index.ts';
import { FilterBar, FilterChoice, FilterDays } from '../ui/index.ts';
import { words } from '../words.ts';
import type { Names } from '../shell/index.ts';
import { filtersSet, KINDS, type LibraryState, NO_FILTER, ORIGINS, SORTS, tagsOf } from './library-query.ts';

const said = words.library.filters;
const RATINGS = [1, 2, 3, 4, 5].map((stars) => ({ id: String(stars), name: said.atLeast(stars) }));
const { open: _, q: __, sort: ___, generation: ____, compare: _____, ...NONE } = NO_FILTER;

/** The filters behind the button. */
const OTHERS: readonly (keyof LibraryState)[] = ['member', 'origin', 'since', 'until'];

interface LibraryFiltersProps {
  readonly state: LibraryState;
  readonly names: Names;
  readonly onChange: (part: Partial<LibraryState>) => void;
}

/** The filters of the library, and its order. */
export function LibraryFilters({ state, names, onChange }: LibraryFiltersProps) {
  const set = filtersSet(state);
  const choices = <T extends string>(ids: readonly T[], name: (id: T) => string) =>
    ids.map((id) => ({ id, name: name(id) }));
  return (
    <FilterBar
      first={
        <>
          <FilterChoice
            label={said.kind}
            all={said.allKinds}
            value={state.kind}
            data={choices(KINDS, (kind) => words.library.kinds[kind]!)}
            onChange={(kind) => onChange({ kind: kind ?? '' })}
          />
          <FilterChoice
            label={said.model}
            all={said.allModels}
            value={state.madeWith}
            data={names.models}
            onChange={(model) => onChange({ madeWith: model ?? '' })}
          />
          <FilterChoice
            label={said.persona}
            all={said.allPersonas}
            value={String(state.persona || '')}
            data={names.personas}
            onChange={(id) => onChange({ persona: Number(id ?? 0) })}
          />
          <FilterChoice
            label={said.rating}
            all={said.allRatings}
            value={String(state.rating || '')}
            data={RATINGS}
            onChange={(rating) => onChange({ rating: Number(rating ?? 0) })}
          />
          <ColorInput
            label={said.color}
            placeholder={said.anyColor}
            format="hex"
            eyeDropperButtonProps={{ 'aria-label': said.pickColor }}
            value={state.color}
            onChangeEnd={(color) => onChange({ color })}
            onChange={(color) => color === '' && onChange({ color })}
          />
          <TagsFilter tags={tagsOf(state)} onChange={(tags) => onChange({ tags: tags.join(',') })} />
        </>
      }
      isStrip
      count={set.filter((name) => OTHERS.includes(name)).length}
      onClear={set.length > 0 ? () => onChange(NONE) : null}
    >
      {names.members.length > 1 && (
        <FilterChoice
          label={said.member}
          all={said.allMembers}
          value={String(state.member || '')}
          data={names.members}
          onChange={(id) => onChange({ member: Number(id ?? 0) })}
        />
      )}
      <FilterChoice
        label={said.origin}
        all={said.allOrigins}
        value={state.origin}
        data={choices(ORIGINS, (origin) => words.library.origins[origin])}
        onChange={(origin) => onChange({ origin: origin ?? '' })}
      />
      <FilterDays
        from={state.since}
        to={state.until}
        onChange={({ from = state.since, to = state.until }) => onChange({ since: from, until: to })}
      />
      <FilterChoice
        label={said.sort}
        all={words.library.sorts[state.q || state.color || state.like ? 'relevance' : 'newest']}
        value={state.sort}
        data={choices(SORTS, (sort) => words.library.sorts[sort])}
        onChange={(sort) => onChange({ sort: sort ?? '' })}
      />
    </FilterBar>
  );
}

interface TagsFieldProps {
  readonly tags: readonly string[];
  readonly label?: string;
  /** Shown while there are none. */
  readonly hint?: string;
  readonly description?: string;
  readonly hasFocus?: boolean;
  readonly onChange: (tags: string[]) => void;
}

/** Tags of the workspace by their beginning, and new ones. */
export function TagsField({
  tags,
  label = words.library.tags,
  hint = words.library.tagsHint,
  ...props
}: TagsFieldProps) {
  const { description, hasFocus, onChange } = props;
  const [text, setText] = useState('');
  const { data } = useQuery({ ...tagsListOptions({ query: { prefix: text.slice(0, 64), limit: 20 } }) });
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={tags.length === 0 ? hint : undefined}
      data-autofocus={hasFocus || undefined}
      data={(data?.tags ?? []).map(({ tag }) => tag)}
      value={[...tags]}
      maxTags={32}
      // The frame around it shows the focus.
      styles={{ inputField: { outline: 'none' } }}
      searchValue={text}
      onSearchChange={setText}
      onChange={onChange}
    />
  );
}

function TagsFilter({ tags, onChange }: Pick<TagsFieldProps, 'tags' | 'onChange'>) {
  return <TagsField tags={tags} label={said.tags} hint={said.anyTag} onChange={onChange} />;
}

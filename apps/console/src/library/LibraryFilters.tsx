import { TagsInput, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { tagsListOptions } from '../api/index.ts';
import { FilterBar, FilterChoice, FilterDays } from '../ui/index.ts';
import type { Names } from '../shell/index.ts';
import { filtersSet, KINDS, type LibraryState, NO_FILTER, ORIGINS, SORTS, tagsOf } from './library-query.ts';
import classes from './Library.module.css';
import { words } from './words.ts';

const text = words.filters;
const RATINGS = [1, 2, 3, 4, 5].map((stars) => ({ id: String(stars), name: text.atLeast(stars) }));
const { open: _, q: __, sort: ___, generation: ____, compare: _____, ...NONE } = NO_FILTER;

const COLOR = /^#[0-9a-f]{6}$/i;
/** A picker is dragged through many colours. */
const PICKING_MS = 400;

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
  return (
    <FilterBar
      first={<FirstFilters state={state} names={names} onChange={onChange} />}
      isStrip
      count={set.filter((name) => OTHERS.includes(name)).length}
      onClear={set.length > 0 ? () => onChange(NONE) : null}
    >
      {names.members.length > 1 && (
        <FilterChoice
          label={text.member}
          all={text.allMembers}
          value={String(state.member || '')}
          data={names.members}
          onChange={(id) => onChange({ member: Number(id ?? 0) })}
        />
      )}
      <FilterChoice
        label={text.origin}
        all={text.allOrigins}
        value={state.origin}
        data={choices(ORIGINS, (origin) => words.origins[origin])}
        onChange={(origin) => onChange({ origin: origin ?? '' })}
      />
      <FilterDays
        from={state.since}
        to={state.until}
        onChange={({ from = state.since, to = state.until }) => onChange({ since: from, until: to })}
      />
      <FilterChoice
        label={text.sort}
        all={words.sorts[state.q || state.color || state.like ? 'relevance' : 'newest']}
        value={state.sort}
        data={choices(SORTS, (sort) => words.sorts[sort])}
        onChange={(sort) => onChange({ sort: sort ?? '' })}
      />
    </FilterBar>
  );
}

/** The filters that are always shown. */
function FirstFilters({ state, names, onChange }: LibraryFiltersProps) {
  return (
    <>
      <FilterChoice
        label={text.kind}
        all={text.allKinds}
        value={state.kind}
        data={choices(KINDS, (kind) => words.kinds[kind]!)}
        onChange={(kind) => onChange({ kind: kind ?? '' })}
      />
      <FilterChoice
        label={text.model}
        all={text.allModels}
        value={state.madeWith}
        data={names.models}
        onChange={(model) => onChange({ madeWith: model ?? '' })}
      />
      <FilterChoice
        label={text.persona}
        all={text.allPersonas}
        value={String(state.persona || '')}
        data={names.personas}
        onChange={(id) => onChange({ persona: Number(id ?? 0) })}
      />
      <FilterChoice
        label={text.rating}
        all={text.allRatings}
        value={String(state.rating || '')}
        data={RATINGS}
        onChange={(rating) => onChange({ rating: Number(rating ?? 0) })}
      />
      <ColorFilter key={state.color} color={state.color} onChange={(color) => onChange({ color })} />
      <TagsFilter tags={tagsOf(state)} onChange={(tags) => onChange({ tags: tags.join(',') })} />
    </>
  );
}

interface ColorFilterProps {
  readonly color: string;
  readonly onChange: (color: string) => void;
}

/** A colour as `#rrggbb`, typed or picked by the browser. */
function ColorFilter({ color, onChange }: ColorFilterProps) {
  const [typed, setTyped] = useState(color);
  const commit = useDebouncedCallback((next: string) => {
    if (next === '' || COLOR.test(next)) onChange(next.toLowerCase());
  }, PICKING_MS);
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    setTyped(event.target.value);
    commit(event.target.value);
  };
  const swatch = (
    <input
      type="color"
      className={classes.swatch}
      aria-label={text.pickColor}
      value={COLOR.test(typed) ? typed : '#ffffff'}
      onChange={change}
    />
  );
  const leftSectionProps = { style: { pointerEvents: 'auto' } } as const;
  return (
    <TextInput
      label={text.color}
      placeholder={text.anyColor}
      leftSection={swatch}
      leftSectionProps={leftSectionProps}
      maxLength={7}
      value={typed}
      onChange={change}
    />
  );
}

const choices = <T extends string>(ids: readonly T[], name: (id: T) => string) =>
  ids.map((id) => ({ id, name: name(id) }));

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
export function TagsField({ tags, label = words.tags, hint = words.tagsHint, ...props }: TagsFieldProps) {
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
      searchValue={text}
      onSearchChange={setText}
      onChange={onChange}
    />
  );
}

function TagsFilter({ tags, onChange }: Pick<TagsFieldProps, 'tags' | 'onChange'>) {
  return <TagsField tags={tags} label={text.tags} hint={text.anyTag} onChange={onChange} />;
}

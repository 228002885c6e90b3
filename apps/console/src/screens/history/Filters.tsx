import { Button, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FilterX, SlidersHorizontal } from 'lucide-react';
import { useId } from 'react';
import { words } from '../../words.ts';
import classes from './Filters.module.css';
import { filtersSet, type HistoryState, NO_FILTER, STATES } from './history-query.ts';
import type { Named, Names } from './use-history.ts';

interface FiltersProps {
  readonly filter: HistoryState;
  readonly names: Names;
  readonly onChange: (part: Partial<HistoryState>) => void;
}

const said = words.history.filters;

/** The filters of the history. On a phone all but the state are behind a button. */
export function Filters({ filter, names, onChange }: FiltersProps) {
  const { open: _, compare: __, ...none } = NO_FILTER;
  const [isUnfolded, fold] = useDisclosure(false);
  const more = useId();
  const set = filtersSet(filter);
  const numberOf = (id: string | null) => Number(id ?? 0);
  return (
    <div className={classes.filters} role="search" aria-label={said.label}>
      <Choice
        label={said.state}
        all={said.allStates}
        value={filter.state}
        data={STATES.map((id) => ({ id, name: words.ui.generation.states[id] }))}
        onChange={(state) => onChange({ state: state ?? '' })}
      />
      <Unfold
        isUnfolded={isUnfolded}
        controls={more}
        count={set.filter((name) => name !== 'state').length}
        onClick={fold.toggle}
      />
      <div id={more} className={classes.more} data-unfolded={isUnfolded || undefined}>
        <Choice
          label={said.model}
          all={said.allModels}
          value={filter.model}
          data={names.models}
          onChange={(model) => onChange({ model: model ?? '' })}
        />
        <Choice
          label={said.persona}
          all={said.allPersonas}
          value={String(filter.persona || '')}
          data={names.personas}
          onChange={(id) => onChange({ persona: numberOf(id) })}
        />
        {names.members.length > 1 && (
          <Choice
            label={said.member}
            all={said.allMembers}
            value={String(filter.member || '')}
            data={names.members}
            onChange={(id) => onChange({ member: numberOf(id) })}
          />
        )}
        <Day label={said.from} value={filter.from} max={filter.to} onChange={(from) => onChange({ from })} />
        <Day label={said.to} value={filter.to} min={filter.from} onChange={(to) => onChange({ to })} />
        {set.length > 0 && (
          <Button variant="subtle" leftSection={<FilterX size={16} aria-hidden />} onClick={() => onChange(none)}>
            {said.clear}
          </Button>
        )}
      </div>
    </div>
  );
}

interface UnfoldProps {
  readonly isUnfolded: boolean;
  /** The id of the element that it unfolds. */
  readonly controls: string;
  /** The number of active filters in that element. */
  readonly count: number;
  readonly onClick: () => void;
}

function Unfold({ isUnfolded, controls, count, onClick }: UnfoldProps) {
  return (
    <Button
      className={classes.unfold}
      variant="default"
      aria-expanded={isUnfolded}
      aria-controls={controls}
      leftSection={<SlidersHorizontal size={16} aria-hidden />}
      onClick={onClick}
    >
      {said.unfold(count)}
    </Button>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly data: readonly Named[];
  readonly onChange: (id: string | null) => void;
}

function Choice({ label, all, value, data, onChange }: ChoiceProps) {
  return (
    <Select
      searchable
      clearable
      clearButtonProps={{ 'aria-label': all }}
      label={label}
      placeholder={all}
      nothingFoundMessage={said.nothing}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      onChange={onChange}
    />
  );
}

interface DayProps {
  readonly label: string;
  readonly value: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChange: (day: string) => void;
}

function Day({ label, value, min, max, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      min={min || undefined}
      max={max || undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

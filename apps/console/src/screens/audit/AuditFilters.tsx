import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { FilterBar, FilterChoice, FilterDays } from '../../ui/index.ts';
import { ACTION_WORDS } from './action-words.ts';
import { type AuditState, filtersSet, NO_FILTER } from './audit-query.ts';
import { words } from './words.ts';

const texts = words.filters;
const ACTIONS = Object.entries(ACTION_WORDS).map(([id, { label }]) => ({ id, name: label }));

interface AuditFiltersProps {
  readonly filter: AuditState;
  readonly actors: readonly { readonly id: string; readonly name: string }[];
  /** The service's refusal of the target. */
  readonly targetProblem: string | undefined;
  readonly onChange: (part: Partial<AuditState>) => void;
}

export function AuditFilters({ filter, actors, targetProblem, onChange }: AuditFiltersProps) {
  const set = filtersSet(filter);
  return (
    <FilterBar
      first={
        <FilterChoice
          label={texts.actor}
          all={texts.everybody}
          value={filter.actor}
          data={actors}
          onChange={(actor) => onChange({ actor: actor ?? '' })}
        />
      }
      count={set.filter((name) => name !== 'actor').length}
      isWrong={targetProblem !== undefined}
      onClear={set.length > 0 ? () => onChange(NO_FILTER) : null}
    >
      <FilterChoice
        label={texts.action}
        all={texts.allActions}
        value={filter.action}
        data={ACTIONS}
        onChange={(action) => onChange({ action: action ?? '' })}
      />
      <Target value={filter.target} problem={targetProblem} onChange={(target) => onChange({ target })} />
      <FilterDays
        from={filter.after}
        to={filter.before}
        onChange={({ from: after = filter.after, to: before = filter.before }) => onChange({ after, before })}
      />
    </FilterBar>
  );
}

interface TargetProps {
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (target: string) => void;
}

/** Filters when it is left or Enter is pressed: a part of a target would be refused. */
function Target({ value, problem, onChange }: TargetProps) {
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  // The filter was changed from elsewhere, such as by the browser's back.
  if (applied !== value) {
    setApplied(value);
    setText(value);
  }
  const apply = () => text.trim() !== value && onChange(text.trim());
  return (
    <TextInput
      label={texts.target}
      placeholder={texts.targetHint}
      value={text}
      error={problem}
      maxLength={40}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && apply()}
    />
  );
}

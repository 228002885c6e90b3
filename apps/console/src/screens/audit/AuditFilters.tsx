import { FilterBar, FilterChoice, FilterDays, FilterText } from '../../ui/index.ts';
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
      <FilterText
        label={texts.target}
        hint={texts.targetHint}
        value={filter.target}
        problem={targetProblem}
        onChange={(target) => onChange({ target })}
      />
      <FilterDays
        from={filter.after}
        to={filter.before}
        onChange={({ from: after = filter.after, to: before = filter.before }) => onChange({ after, before })}
      />
    </FilterBar>
  );
}

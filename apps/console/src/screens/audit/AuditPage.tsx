import { Download, LockKeyhole, ScrollText, SearchX } from 'lucide-react';
import { fieldProblem } from '../../api/index.ts';
import { useRole } from '../../shell/index.ts';
import {
  ActionButton,
  EmptyState,
  FilterBar,
  FilterChoice,
  FilterDays,
  FilterText,
  MoreOfList,
  Page,
  QueryState,
  Section,
  uiWords,
  useListState,
  VirtualList,
} from '../../ui/index.ts';
import { ACTION_WORDS } from './action-words.ts';
import { type AuditEntryDto, type AuditState, filtersSet, NO_FILTER } from './audit-query.ts';
import classes from './Audit.module.css';
import { AuditRow } from './AuditRow.tsx';
import { useActors, useAudit, useCsv } from './use-audit.ts';
import { words } from './words.ts';

const ABSENT = { ...NO_FILTER };
const NONE: readonly AuditEntryDto[] = [];

/** Actions in the workspace and their actors, for admins and the owner. */
export function AuditPage() {
  const isAdmin = useRole('admin');
  if (isAdmin) return <Log />;
  return (
    <Page title={words.title}>
      <Section>
        <EmptyState icon={LockKeyhole} title={words.adminsOnly} hint={words.adminsOnlyHint} />
      </Section>
    </Page>
  );
}

function Log() {
  const [state, change] = useListState(ABSENT);
  const { list, items: entries = NONE } = useAudit(state);
  const actors = useActors(entries, state.actor);
  const filter = (part: Partial<AuditState>) => change({ open: 0, ...part }, { push: true });
  const targetProblem = fieldProblem(list.error, 'target', words.filters.target);
  return (
    <Page title={words.title} hint={words.hint} actions={<Csv filter={state} />}>
      <AuditFilters filter={state} actors={actors} targetProblem={targetProblem} onChange={filter} />
      {!targetProblem && <QueryState query={list} rows={8} height={48} />}
      {list.data && entries.length === 0 && (
        <Nothing isFiltered={filtersSet(state).length > 0} onClear={() => filter(NO_FILTER)} />
      )}
      {entries.length > 0 && (
        <Section>
          <div className={classes.list} aria-busy={list.isPlaceholderData}>
            <VirtualList items={entries} label={words.label} keyOf={({ id }) => id} rowHeight={50} line="below">
              {(entry) => (
                <AuditRow
                  entry={entry}
                  isOpen={entry.id === state.open}
                  onToggle={() => change({ open: entry.id === state.open ? 0 : entry.id })}
                  onFilter={filter}
                />
              )}
            </VirtualList>
          </div>
        </Section>
      )}
      {list.data && <MoreOfList query={list} />}
    </Page>
  );
}

function Csv({ filter }: { readonly filter: AuditState }) {
  const csv = useCsv(filter);
  return (
    <ActionButton
      icon={Download}
      label={words.csv}
      variant="default"
      loading={csv.isPending}
      onClick={() => csv.mutate()}
    />
  );
}

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const clear = <ActionButton label={uiWords.filters.clear} variant="default" onClick={onClear} />;
  if (!isFiltered) return <EmptyState icon={ScrollText} title={words.empty} hint={words.emptyHint} />;
  return <EmptyState icon={SearchX} title={words.noMatches} hint={words.noMatchesHint} action={clear} />;
}

const texts = words.filters;
const ACTIONS = Object.entries(ACTION_WORDS).map(([id, { label }]) => ({ id, name: label }));

interface AuditFiltersProps {
  readonly filter: AuditState;
  readonly actors: readonly { readonly id: string; readonly name: string }[];
  /** The service's refusal of the target. */
  readonly targetProblem: string | undefined;
  readonly onChange: (part: Partial<AuditState>) => void;
}

function AuditFilters({ filter, actors, targetProblem, onChange }: AuditFiltersProps) {
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

import { Button } from '@mantine/core';
import { Download, LockKeyhole, ScrollText, SearchX } from 'lucide-react';
import { fieldProblem } from '../../api/index.ts';
import { useRole } from '../../shell/index.ts';
import {
  EmptyState,
  ErrorNotice,
  Loading,
  MoreOfList,
  Page,
  Section,
  useListState,
  VirtualList,
} from '../../ui/index.ts';
import { words } from '../../words.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { type AuditState, filtersSet, NO_FILTER } from './audit-query.ts';
import { AuditRow } from './AuditRow.tsx';
import { useActors, useAudit, useCsv } from './use-audit.ts';
import classes from './Audit.module.css';

const said = words.audit;
const ABSENT = { ...NO_FILTER };

/** Who did what in the workspace, for admins and the owner. */
export function AuditPage() {
  const isAdmin = useRole('admin');
  if (isAdmin) return <Log />;
  return (
    <Page title={said.title}>
      <Section>
        <EmptyState icon={LockKeyhole} title={said.adminsOnly} hint={said.adminsOnlyHint} />
      </Section>
    </Page>
  );
}

function Log() {
  const [state, change] = useListState(ABSENT);
  const { list, entries } = useAudit(state);
  const actors = useActors(entries, state.actor);
  const filter = (part: Partial<AuditState>) => change({ open: 0, ...part }, { push: true });
  const targetProblem = fieldProblem(list.error, 'target', said.filters.target);
  const isRefused = list.error && !list.isFetchNextPageError && !targetProblem;
  return (
    <Page title={said.title} hint={said.hint} actions={<Csv filter={state} />}>
      <AuditFilters filter={state} actors={actors} targetProblem={targetProblem} onChange={filter} />
      {isRefused && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading rows={8} height={48} />}
      {list.data && entries.length === 0 && (
        <Nothing isFiltered={filtersSet(state).length > 0} onClear={() => filter(NO_FILTER)} />
      )}
      {entries.length > 0 && (
        <Section>
          <div className={classes.list} aria-busy={list.isPlaceholderData}>
            <VirtualList
              items={entries}
              label={said.label}
              keyOf={({ id }) => id}
              rowHeight={50}
              rowClassName={classes.entry}
            >
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
    <Button
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
      loading={csv.isPending}
      onClick={() => csv.mutate()}
    >
      {said.csv}
    </Button>
  );
}

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const clear = (
    <Button variant="default" onClick={onClear}>
      {words.ui.filters.clear}
    </Button>
  );
  if (!isFiltered) return <EmptyState icon={ScrollText} title={said.empty} hint={said.emptyHint} />;
  return <EmptyState icon={SearchX} title={said.noMatches} hint={said.noMatchesHint} action={clear} />;
}

import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn, Download } from 'lucide-react';
import { useState } from 'react';
import { creditsGetOptions, creditsUsageGetOptions, type UsageResponse } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { EmptyState, ErrorNotice, Loading, Page, Section, useListState } from '../../ui/index.ts';
import { Breakdown, type Group as UsageGroup, GROUPS } from './Breakdown.tsx';
import { Budget } from './Budget.tsx';
import { DayChart } from './DayChart.tsx';
import { monthName } from './formats.ts';
import { MonthChooser } from './MonthChooser.tsx';
import { saveUsage } from './save-usage.ts';
import { StorageUse } from './StorageUse.tsx';
import { barsOf, type Month, monthFrom, monthOf, sumBy } from './usage.ts';
import { words } from './words.ts';

const ABSENT = { month: '', by: 'day' };
const REFRESH_MS = 60_000;

/** The usage of the workspace, or of a member, in a month. */
export function UsagePage() {
  const [state, change] = useListState(ABSENT);
  const [now] = useState(() => new Date());
  const current = monthOf(now);
  const month = monthFrom(state.month, now);
  const { role, workspace } = useMe();
  const isOwnOnly = workspace.is_team && role === 'member';
  const isCurrent = month === current;
  const options = { placeholderData: keepPreviousData, refetchInterval: isCurrent ? REFRESH_MS : (false as const) };
  const usage = useQuery({ ...creditsUsageGetOptions({ query: { month, group_by: 'day,model' } }), ...options });
  const budget = useQuery({ ...creditsGetOptions(), enabled: isCurrent });
  const chooser = (
    <MonthChooser
      month={month}
      current={current}
      onChange={(next) => change({ month: next === current ? '' : next }, { push: true })}
    />
  );
  const reserved = usage.data && !usage.isPlaceholderData ? sumReserved(usage.data) : 0;
  return (
    <Page title={words.title} hint={isOwnOnly ? words.ownOnly : words.hint} actions={chooser}>
      {isCurrent && budget.data && (
        <Budget credits={budget.data.credits} reserved={isOwnOnly ? null : reserved} now={now} />
      )}
      {isCurrent && budget.data && <StorageUse storage={budget.data.storage} />}
      {isCurrent && budget.error && !budget.data && !usage.error && (
        <ErrorNotice error={budget.error} onRetry={() => void budget.refetch()} />
      )}
      {usage.error && <ErrorNotice error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.isPending && <Loading rows={3} height={160} />}
      {usage.data && !usage.error && (
        <div style={{ display: 'contents' }} aria-busy={usage.isPlaceholderData}>
          <MonthUsage
            month={monthOf(new Date(usage.data.period.start_at))}
            usage={usage.data}
            isOwnOnly={isOwnOnly}
            isTeam={workspace.is_team}
            by={state.by}
            onBy={(by) => change({ by })}
          />
        </div>
      )}
    </Page>
  );
}

const sumReserved = ({ usage }: UsageResponse) => usage.reduce((sum, { reserved }) => sum + reserved, 0);

interface MonthUsageProps {
  readonly month: Month;
  /** By day and model. */
  readonly usage: UsageResponse;
  readonly isOwnOnly: boolean;
  readonly isTeam: boolean;
  readonly by: string;
  readonly onBy: (by: UsageGroup) => void;
}

function MonthUsage({ month, usage, isOwnOnly, isTeam, by, onBy }: MonthUsageProps) {
  const groups = isTeam && !isOwnOnly ? GROUPS : GROUPS.filter((group) => group !== 'member');
  const group = groups.find((each) => each === by) ?? 'day';
  const byUser = useQuery({
    ...creditsUsageGetOptions({ query: { month, group_by: 'user' } }),
    enabled: group === 'member',
    placeholderData: keepPreviousData,
  });
  if (usage.usage.length === 0) return <NothingUsed month={month} />;
  const rows = rowsOf(group, usage, byUser.data);
  const generations = usage.usage.reduce((sum, each) => sum + each.generations, 0);
  const summary = words.summary(usage.total_used, generations, isOwnOnly);
  return (
    <>
      <Section title={words.byDay}>
        <DayChart month={month} summary={summary} {...barsOf(usage.usage, month)} />
      </Section>
      <Breakdown groups={groups} group={group} onGroup={onBy} rows={rows} total={usage.total_used}>
        <Button
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
          onClick={() => saveUsage(month, group, usage, rows)}
        >
          {words.download}
        </Button>
      </Breakdown>
      {byUser.error && <ErrorNotice error={byUser.error} onRetry={() => void byUser.refetch()} />}
    </>
  );
}

function rowsOf(group: UsageGroup, byDayAndModel: UsageResponse, byUser: UsageResponse | undefined) {
  if (group === 'member') return sumBy(byUser?.usage ?? [], 'email');
  const rows = sumBy(byDayAndModel.usage, group);
  return group === 'model' ? rows : rows.toSorted((one, other) => (one.name < other.name ? 1 : -1));
}

function NothingUsed({ month }: { readonly month: Month }) {
  return (
    <Section>
      <EmptyState
        icon={ChartNoAxesColumn}
        title={words.nothing(monthName(month))}
        hint={words.nothingHint}
        action={
          <Button component={Link} to="/generate">
            {words.generate}
          </Button>
        }
      />
    </Section>
  );
}

import { Group, Select, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn, ChevronLeft, ChevronRight, Download } from 'lucide-react';
import { useState } from 'react';
import {
  creditsGetOptions,
  creditsUsageGetOptions,
  customersListOptions,
  type StorageDto,
  type UsageResponse,
  x12,
} from '../../api/index.ts';
import { monthName } from '../../days.ts';
import { useMe, useRole } from '../../shell/index.ts';
import {
  ActionButton,
  bytes,
  CreditsBar,
  EmptyState,
  ErrorNotice,
  FilterChip,
  Hint,
  IconButton,
  notifyError,
  Page,
  QueryState,
  Section,
  useListState,
} from '../../ui/index.ts';
import { Breakdown, GROUPS, type Group as UsageGroup } from './Breakdown.tsx';
import { Budget } from './Budget.tsx';
import { DayChart } from './DayChart.tsx';
import { saveUsage } from './save-usage.ts';
import { addMonths, barsOf, type Month, monthFrom, monthOf, sumBy, type UsageRow } from './usage.ts';
import { words } from './words.ts';

/** `customer` is the label of the customer whose usage alone is shown; empty for all. */
const ABSENT = { month: '', by: 'day', customer: '' };
const REFRESH_MS = 60_000;
/** The rows of customers that are shown; there may be a million. */
const CUSTOMERS = 100;

/** The usage of the workspace, or of a member or a customer, in a month. */
export function UsagePage() {
  const [state, change] = useListState(ABSENT);
  const [now] = useState(() => new Date());
  const current = monthOf(now);
  const month = monthFrom(state.month, now);
  const { role, workspace } = useMe();
  const isOwnOnly = workspace.is_team && role === 'member';
  const isCurrent = month === current;
  // The budget of the workspace says nothing of one customer.
  const hasBudget = isCurrent && state.customer === '';
  const options = { placeholderData: keepPreviousData, refetchInterval: isCurrent ? REFRESH_MS : (false as const) };
  const query = { month, ...(state.customer && { customer: state.customer }) };
  const usage = useQuery({ ...creditsUsageGetOptions({ query: { ...query, group_by: 'day,model' } }), ...options });
  const budget = useQuery({ ...creditsGetOptions(), enabled: hasBudget });
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
      {state.customer && (
        <FilterChip label={words.customer} value={state.customer} onRemove={() => change({ customer: '' })} />
      )}
      {hasBudget && budget.data && (
        <Budget credits={budget.data.credits} reserved={isOwnOnly ? null : reserved} now={now} />
      )}
      {hasBudget && budget.data && <StorageUse storage={budget.data.storage} />}
      {hasBudget && budget.error && !budget.data && !usage.error && (
        <ErrorNotice error={budget.error} onRetry={() => void budget.refetch()} />
      )}
      <QueryState query={usage} rows={3} height={160} />
      {usage.data && !usage.error && (
        <div style={{ display: 'contents' }} aria-busy={usage.isPlaceholderData}>
          <MonthUsage
            query={{ ...query, month: monthOf(new Date(usage.data.period.start_at)) }}
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
  /** The month, and the customer if it is the usage of one. */
  readonly query: { readonly month: Month; readonly customer?: string };
  /** By day and model. */
  readonly usage: UsageResponse;
  readonly isOwnOnly: boolean;
  readonly isTeam: boolean;
  readonly by: string;
  readonly onBy: (by: UsageGroup) => void;
}

function MonthUsage({ query, usage, isOwnOnly, isTeam, by, onBy }: MonthUsageProps) {
  const { month, customer } = query;
  const hasCustomers = useHasCustomers() && customer === undefined;
  const isOffered = { day: true, model: true, member: isTeam && !isOwnOnly, customer: hasCustomers };
  const groups = GROUPS.filter((each) => isOffered[each]);
  const group = groups.find((each) => each === by) ?? 'day';
  const byUser = useGrouped({ ...query, group_by: 'user' }, group === 'member');
  const byCustomer = useGrouped({ ...query, group_by: 'customer', limit: CUSTOMERS }, group === 'customer');
  const grouped = group === 'customer' ? byCustomer : byUser;
  if (usage.usage.length === 0) return <NothingUsed month={month} />;
  const rows = rowsOf(group, usage, grouped.data);
  const generations = usage.usage.reduce((sum, each) => sum + each.generations, 0);
  const summary = words.summary(usage.total_used, generations, isOwnOnly);
  return (
    <>
      <Section title={words.byDay}>
        <DayChart month={month} summary={summary} {...barsOf(usage.usage, month)} />
      </Section>
      <Breakdown groups={groups} group={group} onGroup={onBy} rows={rows} total={usage.total_used}>
        <ActionButton
          icon={Download}
          label={words.download}
          variant="default"
          onClick={() => void save(month, group, usage, rows).catch(notifyError)}
        />
      </Breakdown>
      {group === 'customer' && rows.length >= CUSTOMERS && <Hint>{words.mostOf(CUSTOMERS)}</Hint>}
      {grouped.error && <ErrorNotice error={grouped.error} onRetry={() => void grouped.refetch()} />}
    </>
  );
}

/** Reports whether the workspace has customers, for people who may know them. */
function useHasCustomers(): boolean {
  const { data } = useQuery({ ...customersListOptions({ query: { limit: 1 } }), enabled: useRole('admin') });
  return !!data?.customers.length;
}

type UsageQuery = NonNullable<Parameters<typeof creditsUsageGetOptions>[0]>['query'];

function useGrouped(query: UsageQuery, enabled: boolean) {
  return useQuery({ ...creditsUsageGetOptions({ query }), enabled, placeholderData: keepPreviousData });
}

/** Downloads the rows, of customers all: the table has those with the most credits. */
async function save(month: Month, group: UsageGroup, usage: UsageResponse, rows: readonly UsageRow[]): Promise<void> {
  if (group !== 'customer') return saveUsage(month, group, usage, rows);
  const all = await x12.credits.usage.get({ month, group_by: 'customer' });
  saveUsage(month, group, usage, rowsOf(group, usage, all));
}

function rowsOf(group: UsageGroup, byDayAndModel: UsageResponse, grouped: UsageResponse | undefined) {
  if (group === 'member') return sumBy(grouped?.usage ?? [], 'email');
  if (group === 'customer') return sumBy(grouped?.usage ?? [], 'customer');
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
        action={<ActionButton component={Link} label={words.generate} to="/generate" />}
      />
    </Section>
  );
}

/** The size of the workspace's files, and its quota. */
function StorageUse({ storage: { used, quota } }: { readonly storage: StorageDto }) {
  const isFull = quota !== null && used >= quota;
  return (
    <Section title={words.storage}>
      <Text>
        <strong>{bytes(used)}</strong> {words.stored}{' '}
        <Text span c="dimmed">
          {quota === null ? words.noQuota : words.of(bytes(quota))}
        </Text>
      </Text>
      {quota !== null && <CreditsBar purchased={quota} available={quota - used} size={14} mt="md" />}
      {isFull && (
        <Text mt="md" fw={560}>
          {words.full}
        </Text>
      )}
    </Section>
  );
}

interface MonthChooserProps {
  readonly month: Month;
  readonly current: Month;
  readonly onChange: (month: Month) => void;
}

const LISTED = 12;

function MonthChooser({ month, current, onChange }: MonthChooserProps) {
  const recent = Array.from({ length: LISTED }, (_, steps) => addMonths(current, -steps));
  const months = recent.includes(month) ? recent : [...recent, month];
  return (
    <Group gap={4} wrap="nowrap">
      <IconButton
        icon={ChevronLeft}
        iconSize={18}
        label={words.earlier}
        onClick={() => onChange(addMonths(month, -1))}
      />
      <Select
        aria-label={words.month}
        w={170}
        allowDeselect={false}
        data={months.map((value) => ({ value, label: monthName(value) }))}
        value={month}
        onChange={(value) => value && onChange(value)}
      />
      <IconButton
        icon={ChevronRight}
        iconSize={18}
        label={words.later}
        disabled={month === current}
        onClick={() => onChange(addMonths(month, 1))}
      />
    </Group>
  );
}

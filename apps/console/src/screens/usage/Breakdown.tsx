import { Anchor, Progress, SegmentedControl, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  type Column,
  column,
  DataTable,
  Hint,
  number,
  percent,
  PersonName,
  Section,
  useModelTitles,
} from '../../ui/index.ts';
import { dayName } from './formats.ts';
import type { UsageRow } from './usage.ts';
import { words } from './words.ts';

export const GROUPS = ['day', 'model', 'member', 'customer'] as const;
export type Group = (typeof GROUPS)[number];

interface BreakdownProps {
  readonly groups: readonly Group[];
  readonly group: Group;
  readonly onGroup: (group: Group) => void;
  readonly rows: readonly UsageRow[];
  readonly total: number;
  /** Shown beside the title. */
  readonly children?: ReactNode;
}

/** The usage of a month as a table: by day, model, member or customer. */
export function Breakdown({ groups, group, onGroup, rows, total, children }: BreakdownProps) {
  const data = groups.map((value) => ({ value, label: words.groups[value] }));
  return (
    <Section title={words.breakdown} actions={children}>
      <SegmentedControl aria-label={words.breakdown} data={data} value={group} onChange={onGroup} mb="sm" />
      <DataTable label={words.groups[group]} rows={rows} columns={columnsOf(group, total)} keyOf={({ name }) => name} />
    </Section>
  );
}

const RIGHT = { isRight: true };

function columnsOf(group: Group, total: number): readonly Column<UsageRow>[] {
  const { columns } = words;
  return [
    column(columns[group], 'minmax(0, 2fr)', ({ name }) => <NameOf group={group} name={name} />),
    column(columns.share, 'minmax(60px, 1fr)', ({ used }) => <Share share={total > 0 ? used / total : 0} />),
    column(columns.generations, '7rem', ({ generations }) => number(generations), RIGHT),
    column(columns.reserved, '6rem', ({ reserved }) => number(reserved), RIGHT),
    column(columns.used, '6rem', ({ used }) => <Text span inherit fw={620} children={number(used)} />, RIGHT),
  ];
}

function NameOf({ group, name }: { readonly group: Group; readonly name: string }) {
  const titleOf = useModelTitles(false);
  if (group === 'member' && name !== '') return <PersonName email={name} />;
  const text = group === 'day' ? dayName(name) : titleOf(name) || words.deletedAccount;
  return (
    <Text component="bdi" size="md" fw={560} lineClamp={2} title={name} style={{ overflowWrap: 'anywhere' }}>
      {group === 'customer' ? <CustomerLink name={name} /> : text}
    </Text>
  );
}

/** Shows the usage of a customer alone. */
function CustomerLink({ name }: { readonly name: string }) {
  if (name === '') return words.noCustomer;
  const search = (before: object) => ({ ...before, by: undefined, customer: name });
  return (
    <Anchor component={Link} to="/usage" search={search as never} inherit>
      {name}
    </Anchor>
  );
}

function Share({ share }: { readonly share: number }) {
  return (
    <div style={{ display: 'flex', gap: 10, alignItems: 'center', flex: 1 }}>
      <Progress value={share * 100} size={6} radius="xl" flex={1} miw={48} aria-hidden />
      <Hint span w={38} ta="end">
        {percent(share)}
      </Hint>
    </div>
  );
}

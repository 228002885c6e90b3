import { Group } from '@mantine/core';
import { type LucideIcon, Plus } from 'lucide-react';
import {
  ActionButton,
  type ActionItem,
  type Column,
  DataTable,
  EmptyState,
  Hint,
  menuColumn,
  MoreOfList,
  QueryState,
  SearchField,
  Section,
} from '../../ui/index.ts';
import type { useList } from './operator-queries.ts';
import { words } from './words.ts';

interface RecordListProps<Row> {
  readonly list: ReturnType<typeof useList> & { readonly rows: readonly Row[] };
  readonly text: {
    readonly title: string;
    readonly hint?: string;
    readonly add: string;
    readonly none: string;
    readonly noneHint?: string;
    readonly noMatch?: string;
  };
  readonly icon: LucideIcon;
  readonly search?: { readonly label: string; readonly value: string; readonly onChange: (q: string) => void };
  readonly columns: readonly Column<Row>[];
  readonly nameOf: (row: Row) => string;
  readonly actionsOf: (row: Row) => readonly ActionItem[];
  readonly onAdd: () => void;
}

/** The width of a column of menus in these tables. */
export const MENU_WIDTH = '2.75rem';

/** Records page by page, newest first, with the button that makes another one and a menu for each. */
export function RecordList<Row extends { readonly id: number }>(props: RecordListProps<Row>) {
  const { list, text, icon, search, columns, nameOf, actionsOf, onAdd } = props;
  const { data } = list.query;
  const add = <ActionButton icon={Plus} label={text.add} onClick={onAdd} />;
  const menu = menuColumn((row: Row) => words.actionsFor(nameOf(row)), actionsOf, MENU_WIDTH);
  const isEmpty = data && list.rows.length === 0;
  const isFiltered = Boolean(search?.value);
  return (
    <Section>
      <Group justify="space-between" align="flex-start" mb="sm">
        {search ? <SearchField {...search} /> : <Hint>{text.hint}</Hint>}
        {(!isEmpty || isFiltered) && add}
      </Group>
      <QueryState query={list.query} rows={6} height={48} />
      {list.rows.length > 0 && (
        <DataTable label={text.title} rows={list.rows} columns={[...columns, menu]} keyOf={({ id }) => id} />
      )}
      {isEmpty && isFiltered && <EmptyState icon={icon} title={text.noMatch ?? text.none} />}
      {isEmpty && !isFiltered && <EmptyState icon={icon} title={text.none} hint={text.noneHint} action={add} />}
      {data && <MoreOfList query={list.query} />}
    </Section>
  );
}

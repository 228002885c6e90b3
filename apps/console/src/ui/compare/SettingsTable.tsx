import { Table } from '@mantine/core';
import { words } from '../words.ts';
import type { Compared } from './ComparedItem.tsx';
import classes from './Comparison.module.css';
import type { Setting } from './settings.ts';

const text = words.compare;

interface SettingsTableProps {
  readonly items: readonly Compared[];
  /** The values are in the order of the items. */
  readonly settings: readonly Setting[];
}

/** The settings of compared items; what differs stands out. */
export function SettingsTable({ items, settings }: SettingsTableProps) {
  if (settings.length === 0) return null;
  return (
    <Table.ScrollContainer
      minWidth={110 * (items.length + 1)}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': text.settings, role: 'region' } as object }}
    >
      <Table layout="fixed" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={items.length > 3 ? 120 : '24%'}>{text.setting}</Table.Th>
            {items.map(({ id, label }) => (
              <Table.Th key={id}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {settings.map(({ name, values, isSame }) => (
            <Table.Tr key={name} className={isSame ? classes.same : classes.differs}>
              <Table.Th scope="row">{name}</Table.Th>
              {values.map((value, at) => (
                <Table.Td key={items[at]!.id} dir="auto">
                  {value}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

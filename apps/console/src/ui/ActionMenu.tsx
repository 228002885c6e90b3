import { Menu } from '@mantine/core';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useRef } from 'react';
import { ActionMenuItem, IconButton } from './ActionButton.tsx';
import type { Column } from './DataTable.tsx';
import { words } from './words.ts';

export interface ActionItem {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onClick: () => void;
  /** True if it deletes or removes something. */
  readonly isDangerous?: boolean;
}

/** The actions of an item of a list, behind one button. Renders nothing without actions. */
export function ActionMenu({ label, items }: { readonly label: string; readonly items: readonly ActionItem[] }) {
  const button = useRef<HTMLButtonElement>(null);
  if (items.length === 0) return null;
  const choose = ({ onClick }: ActionItem) => {
    // Dialogs return the focus to the element that had it when they opened.
    button.current?.focus();
    onClick();
  };
  return (
    <Menu>
      <Menu.Target>
        <IconButton icon={Ellipsis} iconSize={18} label={label} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((item) => (
          <ActionMenuItem
            key={item.label}
            icon={item.icon}
            label={item.label}
            color={item.isDangerous ? 'var(--mantine-color-error)' : undefined}
            onClick={() => choose(item)}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The last column of a table: the actions of its rows. */
export function menuColumn<Row>(
  labelOf: (row: Row) => string,
  itemsOf: (row: Row) => readonly ActionItem[],
  width = '2.5rem',
): Column<Row> {
  const cell = (row: Row) => <ActionMenu label={labelOf(row)} items={itemsOf(row)} />;
  return { title: words.actions, isUntitled: true, width, cell };
}

import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useRef } from 'react';

export interface ActionItem {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onClick: () => void;
  /** It takes something away. */
  readonly isDangerous?: boolean;
}

/** What can be done with one thing of a list, behind one button. Nothing when there is nothing to do. */
export function ActionMenu({ label, items }: { readonly label: string; readonly items: readonly ActionItem[] }) {
  const button = useRef<HTMLButtonElement>(null);
  if (items.length === 0) return null;
  const choose = ({ onClick }: ActionItem) => {
    // Dialogs give the focus back to where it was when they opened.
    button.current?.focus();
    onClick();
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size="lg" aria-label={label}>
          <Ellipsis size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((item) => (
          <Menu.Item
            key={item.label}
            color={item.isDangerous ? 'var(--mantine-color-error)' : undefined}
            leftSection={<item.icon size={16} aria-hidden />}
            onClick={() => choose(item)}
          >
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

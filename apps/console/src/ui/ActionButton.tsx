import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  createPolymorphicComponent,
  Menu,
  type MenuItemProps,
  Tooltip,
} from '@mantine/core';
import type { LucideIcon } from 'lucide-react';

interface Labelled {
  readonly label: string;
  readonly icon: LucideIcon;
  /** CSS pixels. */
  readonly iconSize?: number;
}

type ActionButtonProps = Omit<ButtonProps, 'children'> & Omit<Labelled, 'icon'> & Partial<Labelled>;

/** A button with a text, and an icon before it. */
export const ActionButton = createPolymorphicComponent<'button', ActionButtonProps>(
  ({ label, icon: Icon, iconSize = 16, ...button }: ActionButtonProps) => (
    <Button leftSection={Icon && <Icon size={iconSize} aria-hidden />} {...button}>
      {label}
    </Button>
  ),
);

/** An item of a menu, with its icon. */
export const ActionMenuItem = createPolymorphicComponent<'button', MenuItemProps & Labelled>(
  ({ label, icon: Icon, iconSize = 16, ...item }: MenuItemProps & Labelled) => (
    <Menu.Item leftSection={<Icon size={iconSize} aria-hidden />} {...item}>
      {label}
    </Menu.Item>
  ),
);

interface IconButtonProps extends ActionIconProps, Labelled {
  /** The label, if it is true. */
  readonly tooltip?: string | true;
}

/** A button with only an icon, whose label is for screen readers. */
export const IconButton = createPolymorphicComponent<'button', IconButtonProps>(
  ({ label, icon: Icon, iconSize = 16, tooltip, ...button }: IconButtonProps) => {
    const plain = (
      <ActionIcon aria-label={label} {...button}>
        <Icon size={iconSize} aria-hidden />
      </ActionIcon>
    );
    return tooltip ? <Tooltip label={tooltip === true ? label : tooltip} children={plain} /> : plain;
  },
);

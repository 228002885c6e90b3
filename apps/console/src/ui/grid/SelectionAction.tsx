import { type MantineColor, Tooltip } from '@mantine/core';
import { ActionButton } from '../ActionButton.tsx';
import type { LucideIcon } from 'lucide-react';

interface SelectionActionProps {
  readonly icon: LucideIcon;
  readonly label: string;
  /** The key that does the same. */
  readonly keys?: string;
  readonly color?: MantineColor;
  /** Why it can't be done now. */
  readonly refusal?: string | null;
  readonly onClick: () => void;
}

/** A button for the selected items. */
export function SelectionAction({ icon: Icon, label, keys, color, refusal = null, onClick }: SelectionActionProps) {
  return (
    <Tooltip
      label={refusal ?? `${label} (${keys})`}
      disabled={refusal === null && keys === undefined}
      events={{ hover: true, focus: true, touch: false }}
    >
      <ActionButton
        icon={Icon}
        label={label}
        size="compact-md"
        variant="light"
        color={color}
        data-disabled={refusal !== null || undefined}
        aria-disabled={refusal !== null || undefined}
        onClick={onClick}
      />
    </Tooltip>
  );
}

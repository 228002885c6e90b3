import { Button, type MantineColor, Tooltip } from '@mantine/core';
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
      <Button
        size="compact-md"
        variant="light"
        color={color}
        leftSection={<Icon size={16} aria-hidden />}
        // It keeps the focus and its tooltip, which says why; a press says it, too.
        data-disabled={refusal !== null || undefined}
        aria-disabled={refusal !== null || undefined}
        onClick={onClick}
      >
        {label}
      </Button>
    </Tooltip>
  );
}

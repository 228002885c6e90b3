import { Button, type ButtonProps, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { ActionButton } from './ActionButton.tsx';
import { words } from './words.ts';

interface FormButtonsProps extends Pick<ButtonProps, 'size' | 'disabled'> {
  /** On the button that sends. */
  readonly action: ReactNode;
  readonly isSending: boolean;
  /** Closes the form; absent where it stays. */
  readonly onCancel?: () => void;
}

/** The buttons at the foot of a form. */
export function FormButtons({ action, isSending, onCancel, size, disabled }: FormButtonsProps) {
  return (
    <Group gap={size === 'compact-sm' ? 'xs' : undefined} justify="flex-end">
      {onCancel && <ActionButton label={words.cancel} size={size} variant="default" onClick={onCancel} />}
      <Button size={size} type="submit" disabled={disabled} loading={isSending}>
        {action}
      </Button>
    </Group>
  );
}

import { Alert, Button, Group, Stack } from '@mantine/core';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { SecretField } from '../../ui/index.ts';
import { words } from './words.ts';

interface ShownOnceProps {
  /** Says that the secret is not shown again. */
  readonly what: string;
  readonly label: string;
  readonly secret: string;
  readonly onDone: () => void;
  /** How to use it. */
  readonly children?: ReactNode;
}

/** A new secret to copy, in a dialog. */
export function ShownOnce({ what, label, secret, onDone, children }: ShownOnceProps) {
  return (
    <Stack gap="md">
      <Alert icon={<ShieldCheck aria-hidden />} role="status">
        {what}
      </Alert>
      <SecretField isFocused label={label} value={secret} />
      {children}
      <Group justify="flex-end">
        <Button onClick={onDone}>{words.done}</Button>
      </Group>
    </Stack>
  );
}

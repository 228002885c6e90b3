import { Center, Stack, ThemeIcon, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Hint } from './Hint.tsx';

export interface EmptyStateProps {
  readonly title: string;
  /** The next step, in a sentence. */
  readonly hint?: string;
  readonly icon?: LucideIcon;
  /** The button that takes the next step. */
  readonly action?: ReactNode;
  /** The level of the title as a heading. */
  readonly order?: 1 | 2;
}

/** Shown for an empty list. */
export function EmptyState({ title, hint, icon: Icon, action, order = 2 }: EmptyStateProps) {
  return (
    <Center mih={260} p="lg">
      <Stack align="center" gap="sm" maw={420} ta="center">
        {Icon && (
          <ThemeIcon size={52} radius="xl" variant="light" aria-hidden>
            <Icon size={24} strokeWidth={1.75} />
          </ThemeIcon>
        )}
        <Title order={order} size="h3">
          {title}
        </Title>
        {hint && <Hint>{hint}</Hint>}
        {action}
      </Stack>
    </Center>
  );
}

import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface RowNameProps {
  readonly name: string;
  /** Badges beside it. */
  readonly badges?: ReactNode;
  /** Facts below it. */
  readonly children?: ReactNode;
}

/** The first cell of a row: a name, and what belongs to it. */
export function RowName({ name, badges, children }: RowNameProps) {
  return (
    <div>
      <Group gap={8}>
        <Text component="bdi" inherit fw={600}>
          {name}
        </Text>
        {badges}
      </Group>
      {children}
    </div>
  );
}

import { Avatar, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { initialOf } from './initial.ts';

interface PersonNameProps {
  readonly email: string;
  readonly name?: string | null;
  /** What stands beside the name, such as a badge. */
  readonly children?: ReactNode;
}

/** Who somebody is: their name, of any length and direction, and their e-mail. */
export function PersonName({ email, name, children }: PersonNameProps) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Avatar aria-hidden color="sea" variant="light" size={36}>
        {initialOf(name || email)}
      </Avatar>
      <div style={{ minWidth: 0 }}>
        <Group gap={6} miw={0}>
          <Text component="bdi" size="md" fw={560} lineClamp={2} title={name ?? undefined} style={{ minWidth: 0 }}>
            {name || email}
          </Text>
          {children}
        </Group>
        {name && (
          <Text size="sm" c="dimmed" lineClamp={1} title={email}>
            {email}
          </Text>
        )}
      </div>
    </Group>
  );
}

import { Avatar, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Hint } from './Hint.tsx';
import { initialOf } from './initial.ts';

interface PersonNameProps {
  readonly email: string;
  readonly name?: string | null;
  /** Never cuts the e-mail, for decisions that depend on it. */
  readonly isWhole?: boolean;
  /** Shown beside the name, such as a badge. */
  readonly children?: ReactNode;
}

/** The name of a person, of any length and direction, and their e-mail. */
export function PersonName({ email, name, isWhole, children }: PersonNameProps) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Avatar aria-hidden color="sea" variant="light" size={36}>
        {initialOf(name || email)}
      </Avatar>
      <div style={{ minWidth: 0 }}>
        <Group gap={6} miw={0}>
          <Text
            component="bdi"
            size="md"
            fw={560}
            {...((name || !isWhole) && { lineClamp: 2 })}
            title={name ?? undefined}
            style={{ minWidth: 0, ...(isWhole && { overflowWrap: 'anywhere' }) }}
          >
            {name || email}
          </Text>
          {children}
        </Group>
        {name && (
          <Hint title={email} {...(isWhole ? { style: { overflowWrap: 'anywhere' } } : { lineClamp: 1 })}>
            {email}
          </Hint>
        )}
      </div>
    </Group>
  );
}

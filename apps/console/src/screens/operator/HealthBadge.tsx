import { Badge, Text } from '@mantine/core';
import { words } from '../../words.ts';
import type { HealthDto } from './generated/index.ts';

/** Whether something is well, what was found, and what to do. */
export function HealthBadge({ of }: { readonly of: HealthDto | null }) {
  const { states, unasked, unaskedHint } = words.operator;
  if (of === null) {
    return (
      <div>
        <Badge color="gray">{unasked}</Badge>
        <Text size="xs" c="dimmed" mt={4}>
          {unaskedHint}
        </Text>
      </div>
    );
  }
  return (
    <div>
      <Badge color={of.state === 'well' ? 'sea' : 'red'}>{states[of.state]}</Badge>
      <Text size="xs" c="dimmed" mt={4}>
        {of.finding}
      </Text>
      {of.advice !== null && <Text size="xs">{of.advice}</Text>}
    </div>
  );
}

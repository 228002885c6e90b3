import { Badge, Text } from '@mantine/core';
import { Note } from '../../ui/index.ts';
import type { HealthDto } from './generated/index.ts';
import { words } from './words.ts';

/** The state of a provider or model, the finding, and the advice. */
export function HealthBadge({ health }: { readonly health: HealthDto | null }) {
  const { states, unasked, unaskedHint } = words;
  if (health === null) {
    return (
      <div>
        <Badge color="gray">{unasked}</Badge>
        <Note mt={4}>{unaskedHint}</Note>
      </div>
    );
  }
  return (
    <div>
      <Badge color={health.state === 'well' ? 'sea' : 'red'}>{states[health.state]}</Badge>
      <Note mt={4}>{health.finding}</Note>
      {health.advice !== null && <Text size="xs">{health.advice}</Text>}
    </div>
  );
}

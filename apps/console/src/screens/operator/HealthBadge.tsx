import { Badge, Text } from '@mantine/core';
import { Note } from '../../ui/index.ts';
import type { HealthDto } from './generated/index.ts';
import { words } from './words.ts';

/** The state of a provider or model, the finding, and the advice. */
export function HealthBadge({ health }: { readonly health: HealthDto | null }) {
  const color = health === null ? 'gray' : health.state === 'well' ? 'sea' : 'red';
  return (
    <div>
      <Badge color={color}>{health === null ? words.unasked : words.states[health.state]}</Badge>
      <Note mt={4}>{health === null ? words.unaskedHint : health.finding}</Note>
      {health?.advice != null && <Text size="xs">{health.advice}</Text>}
    </div>
  );
}

import { Badge, Text } from '@mantine/core';
import { Note } from '../../ui/index.ts';
import type { HealthDto } from './generated/index.ts';
import { words } from './words.ts';

/** The state of a provider or model, the finding, and the advice. */
export function HealthBadge({ health, isPaused }: { readonly health: HealthDto | null; readonly isPaused?: boolean }) {
  const state = isPaused ? 'paused' : (health?.state ?? 'unasked');
  return (
    <div>
      <Badge color={{ well: 'sea', ill: 'red', paused: 'red', unasked: 'gray' }[state]}>{words.states[state]}</Badge>
      <Note mt={4}>{health === null ? words.unaskedHint : health.finding}</Note>
      {health?.advice != null && <Text size="xs">{health.advice}</Text>}
    </div>
  );
}

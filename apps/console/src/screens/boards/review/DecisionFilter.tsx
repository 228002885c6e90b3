import { Chip, Group } from '@mantine/core';
import { type DecisionFilter as Filter, decisionIn, DECISIONS } from './decisions.ts';
import { words } from './words.ts';

const ALL = 'all';

interface DecisionFilterProps {
  /** Null for all. */
  readonly value: Filter | null;
  readonly onChange: (decision: Filter | null) => void;
}

/** Shows only the media with one decision. */
export function DecisionFilter({ value, onChange }: DecisionFilterProps) {
  return (
    <Chip.Group value={value ?? ALL} onChange={(chosen) => onChange(decisionIn(String(chosen)))}>
      <Group gap="xs" role="group" aria-label={words.filter}>
        <Chip value={ALL}>{words.all}</Chip>
        {DECISIONS.map((decision) => (
          <Chip key={decision} value={decision}>
            {words.decisions[decision]}
          </Chip>
        ))}
        <Chip value="open">{words.open}</Chip>
      </Group>
    </Chip.Group>
  );
}

import { Group, Text } from '@mantine/core';
import { X } from 'lucide-react';
import { ActionButton } from './ActionButton.tsx';
import { words } from './words.ts';

interface FilterChipProps {
  readonly label: string;
  readonly value: string;
  readonly onRemove: () => void;
}

/** A filter that a link has set, and the button that removes it. */
export function FilterChip({ label, value, onRemove }: FilterChipProps) {
  return (
    <Group gap={10} mb={12} wrap="nowrap" role="status">
      <Text size="sm" fw={560} lineClamp={2} title={value} style={{ overflowWrap: 'anywhere' }}>
        {label}: <bdi>{value}</bdi>
      </Text>
      <ActionButton
        icon={X}
        iconSize={14}
        label={words.filters.remove}
        size="compact-sm"
        variant="default"
        flex="none"
        onClick={onRemove}
      />
    </Group>
  );
}

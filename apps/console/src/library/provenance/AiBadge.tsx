import { Badge, VisuallyHidden } from '@mantine/core';
import { words } from './words.ts';

/** Says that an AI system made the item. */
export function AiBadge() {
  const { short, rest } = words.badge;
  return (
    <Badge mr={6} title={short + rest}>
      {short}
      <VisuallyHidden>{rest}</VisuallyHidden>
    </Badge>
  );
}

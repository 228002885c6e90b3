import { Text } from '@mantine/core';
import { When } from '../../../ui/index.ts';
import type { ModelEnd } from './ends.ts';
import { words } from './words.ts';

/** `Ends 3 Dec → flux-2`. Red where calls are refused by then. */
export function EndOfModel({ end: { state, at, successor } }: { readonly end: ModelEnd }) {
  return (
    <Text size="xs" c={state !== 'ending' && successor === null ? 'var(--mantine-color-error)' : undefined}>
      {words.life[state]} <When at={at} />
      {successor !== null && ` → ${successor}`}
    </Text>
  );
}

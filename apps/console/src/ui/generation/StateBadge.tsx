import { Badge } from '@mantine/core';
import type { GenerationResponse } from '../../api/index.ts';
import { words } from '../words.ts';

type State = GenerationResponse['state'];

const COLORS: Record<State, string> = {
  queued: 'gray',
  running: 'sea',
  succeeded: 'sea',
  failed: 'red',
  canceled: 'gray',
};

/** The state of a generation. */
export function StateBadge({ state }: { readonly state: State }) {
  return <Badge color={COLORS[state]}>{words.generation.states[state]}</Badge>;
}

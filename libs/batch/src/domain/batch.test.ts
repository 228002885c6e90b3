import { expect, it } from '@jest/globals';
import { BATCH_STATES, stateAfter, type BatchCommand } from './batch.ts';

it.each<[BatchCommand, ...(string | null)[]]>([
  // running, paused, canceling, ended
  ['pause', 'paused', 'paused', null, null],
  ['resume', 'running', 'running', null, null],
  ['cancel', 'canceling', 'canceling', 'canceling', null],
  ['retry', 'running', 'paused', null, 'running'],
])('a batch after %s is, by its state before: %s, %s, %s, %s', (command, ...after) => {
  for (const [index, state] of BATCH_STATES.entries()) {
    if (after[index] === null) expect(() => stateAfter(command, state)).toThrow(/^the batch (has ended|is being)/);
    else expect(stateAfter(command, state)).toBe(after[index]);
  }
});

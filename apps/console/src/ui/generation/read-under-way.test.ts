import { expect, it } from '@jest/globals';
import type { GenerationResponse } from '../../api/index.ts';
import { readUnderWay } from './read-under-way.ts';

const LIFE = ['queued', 'running', 'failed'] as const;
/** The states of a generation at each of three reads, however it moves on. */
const MOVES = LIFE.flatMap((first, from) =>
  LIFE.slice(from).flatMap((second) => LIFE.slice(LIFE.indexOf(second)).map((third) => [first, second, third])),
);

const generation = (id: number, state: string) => ({ id, state }) as GenerationResponse;

it.each(MOVES)('has a generation once that is %s, then %s, then %s while the lists are read', async (...states) => {
  const read = await readUnderWay(
    async ({ state }) => {
      const now = states.shift()!;
      return { generations: [generation(9, state!), ...(state === now ? [generation(7, now)] : [])] };
    },
    { userId: 1 },
  );
  expect(read.generations).toEqual([generation(9, 'failed'), generation(7, expect.any(String) as never)]);
});

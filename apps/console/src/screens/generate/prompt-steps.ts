import type { GenerationResponse } from '../../api/index.ts';

/** The prompts without repetitions. */
export function uniquePrompts(generations: readonly Pick<GenerationResponse, 'prompt'>[]): readonly string[] {
  return [...new Set(generations.flatMap(({ prompt }) => prompt || []))];
}

/** A place in the history of prompts. */
export interface Step {
  /** -1 for what was typed. */
  readonly at: number;
  /** The text before the first step. */
  readonly typed: string;
  readonly shown: string;
}

/**
 * The next older prompt, or the next newer one, and after the newest what was typed. Null at both ends. A prompt that was
 * changed begins anew.
 */
export function stepBack(prompts: readonly string[], step: Step | null, now: string, by: 1 | -1): Step | null {
  const { at, typed } = step?.shown === now ? step : { at: -1, typed: now };
  // The newest prompt often stands in the field still.
  const next = at === -1 && by === 1 && prompts[0] === now ? 1 : at + by;
  if (next < -1 || next >= prompts.length) return null;
  return { at: next, typed, shown: next === -1 ? typed : prompts[next]! };
}

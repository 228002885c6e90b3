import type { GenerationChange } from '#generation';

/** The channel on which every change of a generation's state or progress is told, by the statement that makes it. */
export const GENERATION_CHANGES = 'generation_changes';

/** What is told. */
export interface GenerationNotice extends GenerationChange {
  readonly id: number;
}

import { GENERATION_STATES, type GenerationState, type GenerationView } from '#generation';
import { ChoiceField, IntegerField, TimeField } from '../http/index.ts';

/** Progress as clients that poll know it. */
export class ProgressView {
  @ChoiceField(GENERATION_STATES, { description: 'State of the generation.', example: 'running' })
  state!: GenerationState;

  @IntegerField({ description: 'How far it is.', example: 40, min: 0, max: 100 })
  percent!: number;

  @TimeField({ description: 'When it was started; null while it is queued.', nullable: true })
  started_at!: Date | null;
}

export function progressView({
  state,
  progress,
  startedAt,
}: Pick<GenerationView, 'state' | 'progress' | 'startedAt'>): ProgressView {
  return { state, percent: Math.round(progress * 100), started_at: startedAt };
}

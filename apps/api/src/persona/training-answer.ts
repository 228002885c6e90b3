import type { TrainingView as Training } from '#persona';
import { ObjectField } from '../http/index.ts';
import { TrainingView, trainingView } from './training-view.ts';

export class TrainingAnswer {
  @ObjectField(() => TrainingView, { description: 'The training.' })
  training!: TrainingView;
}

export function trainingAnswer(training: Training): TrainingAnswer {
  return { training: trainingView(training) };
}

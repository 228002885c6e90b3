import { ListField, TextField } from '../http/index.ts';
import { TrainingView } from './training-view.ts';

export class TrainingsAnswer {
  @ListField(() => TrainingView, { description: 'Trainings of the persona, newest first.' })
  trainings!: TrainingView[];

  @TextField({ description: 'Where the next page starts; null on the last one.', nullable: true })
  next_cursor!: string | null;
}

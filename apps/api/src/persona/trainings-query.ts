import type { TrainingKind } from '#persona';
import { ChoiceField } from '../http/index.ts';

export class TrainingsQuery {
  @ChoiceField(['like', 'slot'], {
    description: 'Likes only, or only what is in slots; without it, both.',
    example: 'like',
    required: false,
  })
  kind?: TrainingKind;
}

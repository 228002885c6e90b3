import type { SavedTraining, TrainingState } from '#persona';
import { BooleanField, ChoiceField, IntegerField, TextField } from '../http/index.ts';
import { TRAINING_STATES } from './training-view.ts';

export class SavedTrainingAnswer {
  @IntegerField({ description: 'Identifier of the training, by which it is removed.', example: 40 })
  training_id!: number;

  @IntegerField({ description: 'The persona it is saved on.', example: 12 })
  persona_id!: number;

  @IntegerField({ description: 'Its slot; null for a like.', example: 1, min: 1, max: 7, nullable: true })
  slot!: number | null;

  @TextField({
    description: 'URL of the picture: the one given, until it is processed and stored.',
    example: 'https://pictures.example.com/ada.jpg',
    format: 'uri',
  })
  photo!: string;

  @ChoiceField(TRAINING_STATES, {
    description: '`created` while the picture is still to be copied; `processed` when it is stored already.',
    example: 'created',
  })
  state!: TrainingState;

  @BooleanField({ description: 'Whether another training was in the slot.', example: false })
  replaced!: boolean;
}

export function savedTrainingAnswer(saved: SavedTraining): SavedTrainingAnswer {
  const { trainingId, personaId, slot, photo, state, replaced } = saved;
  return { training_id: trainingId, persona_id: personaId, slot, photo, state, replaced };
}

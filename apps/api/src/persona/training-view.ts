import type { TrainingState, TrainingView as Training } from '#persona';
import { ChoiceField, IntegerField, TextField, TimeField } from '../http/index.ts';

export const TRAINING_STATES = ['created', 'processed', 'failed'] as const satisfies readonly TrainingState[];

/** A picture kept on a persona: in a slot, or as a like. */
export class TrainingView {
  @IntegerField({ description: 'Identifier of the training.', example: 40 })
  id!: number;

  @IntegerField({ description: 'Its slot; null for a like.', example: 1, min: 1, max: 7, nullable: true })
  slot!: number | null;

  @TextField({
    description: 'URL of its picture: the one given, until it is processed and stored.',
    example: 'https://pictures.example.com/fox.jpg',
    format: 'uri',
  })
  image!: string;

  @TextField({ description: 'Prompt of the liked design.', example: 'a fox in the snow', nullable: true })
  extras!: string | null;

  @TextField({ description: 'Further notes.', example: null, nullable: true })
  info!: string | null;

  @ChoiceField(TRAINING_STATES, {
    description: '`created` until the picture is copied into the storage, then `processed` or `failed`.',
    example: 'processed',
  })
  state!: TrainingState;

  @TextField({
    description: 'Why the picture could not be used, such as `url_blocked`, `url_timeout` or `not_an_image`.',
    example: null,
    nullable: true,
  })
  error!: string | null;

  @TimeField({ description: 'When it was saved.' })
  created_at!: Date;
}

export function trainingView({ createdAt, ...training }: Training): TrainingView {
  return { ...training, created_at: createdAt };
}

import { MAX_TRAINING_TEXT } from '#persona';
import { IntegerField, TextField, UrlField } from '../http/index.ts';

/** What is absent stays as it is. */
export class UpdateTrainingForm {
  @UrlField({
    description: 'Another picture; it is processed anew.',
    example: 'https://pictures.example.com/owl.jpg',
    required: false,
  })
  image?: string;

  @TextField({
    description: 'Prompt of the liked design; null removes it.',
    example: 'an owl in the snow',
    max: MAX_TRAINING_TEXT,
    required: false,
    nullable: true,
  })
  extras?: string | null;

  @TextField({
    description: 'Further notes; null removes them.',
    example: 'seed 8',
    max: MAX_TRAINING_TEXT,
    required: false,
    nullable: true,
  })
  info?: string | null;

  @IntegerField({
    description: 'A slot to move it to, replacing what is there; null makes it a like.',
    example: 2,
    min: 1,
    max: 7,
    required: false,
    nullable: true,
  })
  slot?: number | null;
}

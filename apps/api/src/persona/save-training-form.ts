import { MAX_TRAINING_TEXT } from '#persona';
import { IntegerField, TextField, UrlField } from '../http/index.ts';

export class SaveTrainingForm {
  @UrlField({
    description:
      'The picture: any http or https URL, or one that this service stores, such as the output of a generation.',
    example: 'https://pictures.example.com/fox.jpg',
  })
  image!: string;

  @TextField({
    description: 'Prompt of the liked design.',
    example: 'a fox in the snow',
    max: MAX_TRAINING_TEXT,
    required: false,
    nullable: true,
  })
  extras?: string | null;

  @TextField({
    description: 'Further notes.',
    example: 'seed 7',
    max: MAX_TRAINING_TEXT,
    required: false,
    nullable: true,
  })
  info?: string | null;

  @IntegerField({
    description: 'A slot to put it in, instead of liking it.',
    example: null,
    min: 1,
    max: 7,
    required: false,
    nullable: true,
  })
  slot?: number | null;
}

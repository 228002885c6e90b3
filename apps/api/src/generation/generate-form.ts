import { BooleanField, IntegerField, TextField, UrlField } from '../http/index.ts';

export class GenerateForm {
  @TextField({
    description: 'Which generator: an `id` of `GET /v2/models`.',
    example: 'local-image',
    max: 100,
  })
  model!: string;

  @IntegerField({
    description:
      'The persona whose slots are used and whose files the outputs become; without it they become files of the first persona that the caller made.',
    example: 12,
    min: 1,
    required: false,
    nullable: true,
  })
  pid?: number | null;

  @TextField({
    description:
      'The style reference: `persona` for slot 1, `none`, or an http or https URL. Without it slot 1, where `pid` is given and the slot is filled.',
    example: 'persona',
    max: 2048,
    required: false,
    nullable: true,
  })
  style_transfer?: string | null;

  @UrlField({
    description:
      'The input image, for video models the start frame. Without it slot 7, where `pid` is given and the slot is filled.',
    example: 'https://pictures.example.com/fox.jpg',
    required: false,
    nullable: true,
  })
  image?: string | null;

  @TextField({
    description: 'What to make.',
    example: 'a fox in the snow, oil painting',
    max: 10_000,
    required: false,
    nullable: true,
  })
  prompt?: string | null;

  @BooleanField({
    description: 'True to learn inputs and cost only: nothing is run and nothing charged.',
    example: false,
    required: false,
    nullable: true,
  })
  dry_run?: boolean | null;
}

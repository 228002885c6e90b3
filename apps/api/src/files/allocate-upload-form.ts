import { IntegerField, TextField } from '../http/index.ts';

export class AllocateUploadForm {
  @TextField({
    description:
      'Name of the file, at most 255 bytes, with an extension of a supported type. One that starts with `x12tmp-` is temporary.',
    example: 'portrait.jpg',
  })
  filename!: string;

  @IntegerField({
    description: 'Persona that the file is added to. Without it, the first that the caller made.',
    example: 1,
    min: 1,
    required: false,
    nullable: true,
  })
  pid?: number | null;

  @IntegerField({
    description:
      'In how many parts the bytes are sent. Without it, as a whole. All parts but the last need at least 5 MiB.',
    example: 3,
    min: 1,
    max: 10_000,
    required: false,
    nullable: true,
  })
  parts?: number | null;
}

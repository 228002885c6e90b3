import { IdsField, IntegerField, TextField, UrlField } from '../http/index.ts';

export class CreateBoardForm {
  @TextField({
    description: 'Name of the board, 1 to 255 characters after trimming.',
    example: 'Summer campaign',
  })
  name!: string;
}

export class UpdateBoardForm {
  @TextField({ description: 'New name.', example: 'Autumn campaign', required: false })
  name?: string;
}

export class CreateFolderForm {
  @TextField({ description: 'Name of the folder, 1 to 255 characters after trimming.', example: 'Drafts' })
  name!: string;

  @IntegerField({
    description: 'Folder of the same board to nest it in; null or absent for the root.',
    example: null,
    min: 1,
    required: false,
    nullable: true,
  })
  parent_id?: number | null;
}

export class UpdateFolderForm {
  @TextField({ description: 'New name.', example: 'Finals', required: false })
  name?: string;

  @IntegerField({
    description: 'Folder of the same board to move it to; null for the root; absent to leave it where it is.',
    min: 1,
    required: false,
    nullable: true,
  })
  parent_id?: number | null;
}

export class AddMediaForm {
  @UrlField({
    description: 'Picture, video or model: any public address, or a stored URL of the workspace.',
    example: 'https://example.com/photo.jpg',
    required: false,
    nullable: true,
  })
  url?: string | null;

  @UrlField({ description: 'Secondary or reference picture, likewise.', required: false, nullable: true })
  control_image?: string | null;

  @IntegerField({
    description: 'Folder of the board; null or absent for the root.',
    min: 1,
    required: false,
    nullable: true,
  })
  folder_id?: number | null;

  @TextField({
    description: 'Your own data: a string that parses as JSON, up to 64 KiB, given back as it is.',
    example: '{"prompt": "a lighthouse at dusk"}',
    required: false,
  })
  extras?: string;
}

export class MoveMediaForm {
  @IntegerField({
    description: 'Folder of the same board; null or absent for the root.',
    min: 1,
    required: false,
    nullable: true,
  })
  folder_id?: number | null;
}

export const MAX_BULK = 500;

export class DeleteManyMediaForm {
  @IdsField({
    description: 'Media of the board: in JSON a list, in a form separated by commas.',
    example: [1, 2],
    max: MAX_BULK,
  })
  ids!: number[];
}

export class MoveManyMediaForm extends DeleteManyMediaForm {
  @IntegerField({
    description: 'Folder of the same board; null or absent for the root.',
    min: 1,
    required: false,
    nullable: true,
  })
  folder_id?: number | null;
}

export class MediaQuery {
  @IntegerField({
    description: 'Only media of this folder; the word null for the root alone.',
    min: 1,
    required: false,
    nullable: true,
  })
  folder_id?: number | null;
}

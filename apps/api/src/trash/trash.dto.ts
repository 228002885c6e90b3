import { TRASH_KINDS, type TrashEntry, type TrashKind } from '#trash';
import {
  ChoiceField,
  dtoOf,
  IntegerField,
  ListField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
} from '../http/index.ts';

export class TrashEntryDto {
  @IntegerField('Identifier of the entry.', { example: 31 }) id!: number;
  @ChoiceField(TRASH_KINDS, 'What was deleted.', { example: 'board' }) kind!: TrashKind;
  @IntegerField('Identifier of the deleted item, which restoring keeps; of library items, the file of the first.', {
    example: 7,
  })
  item_id!: number;

  @IntegerField('Library items that were deleted together; 1 for other kinds.', { example: 1 }) count!: number;

  @IntegerField('Board of a folder or media item; otherwise null.', { example: 7, nullable: true })
  board_id!: number | null;

  @TextField('Name of the item; null for a media item without a picture. Of library items, the name of the first.', {
    example: 'Moods',
    nullable: true,
  })
  name!: string | null;
  @TextField('ThumbHash in base64: a placeholder of the picture of a media or library item; otherwise null.', {
    example: '3OcRJYB4d3h/iIeHeEh3eIhw+j2w',
    nullable: true,
  })
  placeholder!: string | null;

  @IntegerField('User who deleted it.', { example: 3 }) deleted_by!: number;
  @TimeField('When it was deleted.') deleted_at!: Date;
  @TimeField('When it is deleted for good.') expires_at!: Date;
}

export const trashEntryDto = (entry: TrashEntry) => dtoOf(TrashEntryDto, entry);

export class TrashResponse extends PageResponse {
  @ListField(() => TrashEntryDto, 'Deleted items, newest first.') trash!: TrashEntryDto[];
}

export class RestoredResponse {
  @ObjectField(() => TrashEntryDto, 'The restored item.') restored!: TrashEntryDto;
}

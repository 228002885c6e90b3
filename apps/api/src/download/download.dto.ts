import { DomainError } from '#kernel';
import type { Selection } from '#download';
import { MAX_LABEL } from '#files';
import { BooleanOrTextField, IdsField, IntegerField, TimeField, UrlField } from '../http/index.ts';

/** Items that a request names. */
const MAX_IDS = 500;

const SomeIds = (description: string) =>
  IdsField(`${description}, ${MAX_IDS} at most.`, { example: [12, 13], max: MAX_IDS, required: false });

export class DownloadRequest {
  @IntegerField('A whole board.', { example: 7, min: 1, required: false }) board_id?: number;
  @IntegerField('A folder of a board, with the folders in it.', { example: 9, min: 1, required: false })
  folder_id?: number;
  @SomeIds('Media items of boards') media_ids?: number[];
  @SomeIds('Outputs of generations') generation_ids?: number[];
  @SomeIds('Files of library items') file_ids?: number[];
  @BooleanOrTextField(
    "Visible label in the corner of the pictures that AI made: a text, or true for the operator's, such as " +
      '"AI-generated"; false or null for none. Uploads and imports stay as they are.',
    { example: true, max: MAX_LABEL, required: false, nullable: true },
  )
  label?: boolean | string | null;
}

/** @throws DomainError `validation_failed` unless exactly one field is given */
export function selectionOf(request: DownloadRequest): Selection {
  const { board_id, folder_id, media_ids, generation_ids, file_ids } = request;
  const given: Selection[] = [];
  if (board_id !== undefined) given.push({ of: 'board', id: board_id });
  if (folder_id !== undefined) given.push({ of: 'folder', id: folder_id });
  if (media_ids) given.push({ of: 'media', ids: media_ids });
  if (generation_ids) given.push({ of: 'generations', ids: generation_ids });
  if (file_ids) given.push({ of: 'library', ids: file_ids });
  const [selection, more] = given;
  if (selection && !more) return selection;
  const names = 'board_id, folder_id, media_ids, generation_ids and file_ids';
  throw new DomainError('validation_failed', `exactly one of ${names} must be given`);
}

export class DownloadResponse {
  @UrlField('Where the zip is downloaded, for ten minutes. It needs no header: whoever has the URL can use it.')
  url!: string;
  @TimeField('When the URL ends.') expires_at!: Date;
  @IntegerField('How many files it has now.', { example: 12 }) files!: number;
  @IntegerField('The bytes of these files, without labels.', { example: 73_400_320 }) bytes!: number;
}

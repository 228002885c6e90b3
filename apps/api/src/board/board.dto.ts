import {
  MAX_EXTRAS_BYTES,
  MAX_NOTE_LENGTH,
  MEDIA_SORTS,
  mediaNameOf,
  type Board,
  type Deleted,
  type Folder,
  type FolderView,
  type FolderWithMedia,
  type MediaFilter,
  type MediaSort,
  type MediaView,
  type Note,
  type Placed,
  type WholeBoard,
} from '#board';
import type { Page } from '#kernel';
import { MAX_QUERY, MAX_RATING, MAX_TAG_UNITS, MAX_TAGS, tagsOf } from '#library';
import { VERDICTS, type ReviewSummary, type Verdict } from '#review';
import { PictureNameField, SeenPictureDto, thumbnailDtos } from '../files/picture.dto.ts';
import {
  BooleanField,
  ChoiceField,
  CustomDataDto,
  CustomDataRequest,
  CustomerFilter,
  dtoOf,
  IdsField,
  IntegerField,
  ListField,
  listOf,
  ObjectField,
  PageResponse,
  SearchQuery,
  TextField,
  TextsField,
  TimeField,
  UrlField,
} from '../http/index.ts';
import type { Shown } from './shown-media.ts';

/** Something on the same board. */
const OptionalIdField = (description: string, options: { example?: null } = {}) =>
  IntegerField(description, { ...options, min: 1, required: false, nullable: true });

export const VersionField = () =>
  IntegerField('Number of the version, which comments and decisions belong to; 1 for the first.', { example: 2 });

export const VersionsField = () =>
  ListField(() => Number, 'Ids of the versions up to this one, the first first.', { example: [12, 21] });

/** The versions of a media item, as clients see them. */
export const versionsOf = ({ id, earlier }: { readonly id: number; readonly earlier: readonly number[] }) => ({
  version: earlier.length + 1,
  versions: [...earlier, id],
});

export class CreateBoardRequest extends CustomDataRequest {
  @TextField('Name of the board, 1 to 255 characters after trimming.', { example: 'Summer campaign' }) name!: string;
}

export class UpdateBoardRequest extends CustomDataRequest {
  @TextField('New name.', { example: 'Autumn campaign', required: false }) name?: string;
}

export class CreateFolderRequest {
  @TextField('Name of the folder, 1 to 255 characters after trimming.', { example: 'Drafts' }) name!: string;

  @OptionalIdField('Parent folder on the same board; null or absent for the root.', { example: null })
  parent_id?: number | null;
}

export class UpdateFolderRequest {
  @TextField('New name.', { example: 'Finals', required: false }) name?: string;

  @OptionalIdField('New parent folder on the same board; null for the root; absent to keep the present one.')
  parent_id?: number | null;
}

export class AddMediaRequest {
  @UrlField('Picture, video or model: any public address, or a stored URL of the workspace.', {
    example: 'https://example.com/photo.jpg',
    required: false,
    nullable: true,
  })
  url?: string | null;

  @UrlField('Secondary or reference picture: the same kinds of URL.', { required: false, nullable: true })
  control_image?: string | null;

  @OptionalIdField('Folder of the board; null or absent for the root.') folder_id?: number | null;

  @OptionalIdField(
    'Media item of the board whose place it takes, as its next version, instead of `folder_id`. Links show the new version; ' +
      'comments and decisions stay with theirs.',
  )
  replaces?: number | null;

  @TextField('Your own data: a string that parses as JSON, up to 64 KiB, returned unchanged.', {
    example: '{"prompt": "a lighthouse at dusk"}',
    max: MAX_EXTRAS_BYTES,
    required: false,
  })
  extras?: string;
}

export class UpdateMediaRequest {
  @PictureNameField({ required: true }) name!: string;
}

export class MoveMediaRequest {
  @OptionalIdField('Folder of the same board; null or absent for the root.') folder_id?: number | null;
}

const MAX_BULK = 500;

export class DeleteManyMediaRequest {
  @IdsField('Ids of media items on the board: a list in JSON, separated by commas in a form.', {
    example: [1, 2],
    max: MAX_BULK,
  })
  ids!: number[];
}

export class MoveManyMediaRequest extends DeleteManyMediaRequest {
  @OptionalIdField('Folder of the same board; null or absent for the root.') folder_id?: number | null;
}

/** The place of items in the order of their folder. */
class PlaceRequest {
  @OptionalIdField('Media item of the same folder to come after; null or absent for the first place.') after?:
    | number
    | null;
  @OptionalIdField('Note of the same folder to come after, instead of `after`.') after_note?: number | null;
}

export class OrderMediaRequest extends PlaceRequest {
  @IdsField('Ids of media items of one folder, in the order that they shall have.', { example: [3, 1], max: MAX_BULK })
  ids!: number[];
}

const NoteText = (required: boolean) =>
  TextField('Plain text: 1 to 4,000 characters after trimming.', {
    example: 'Colder from here on',
    max: MAX_NOTE_LENGTH,
    required,
  });

export class CreateNoteRequest extends PlaceRequest {
  @NoteText(true) text!: string;
  @OptionalIdField('Folder of the board; null or absent for the root.', { example: null }) folder_id?: number | null;
}

export class UpdateNoteRequest extends PlaceRequest {
  @NoteText(false) text?: string;
  @OptionalIdField('New folder of the board; null for the root; absent to keep the present one.')
  folder_id?: number | null;
}

export class MediaQuery {
  @OptionalIdField('Only media of this folder; `null` for media at the root.') folder_id?: number | null;

  @TextField('Only media whose pictures the library finds by these words.', {
    example: 'red fox',
    max: MAX_QUERY,
    required: false,
  })
  q?: string;

  @TextsField('Only media whose pictures have all of these tags.', {
    example: ['blue hour'],
    max: MAX_TAGS,
    maxUnits: MAX_TAG_UNITS,
    required: false,
  })
  tag?: string[];

  @ChoiceField(
    [...VERDICTS, 'open'],
    'Only media with this latest decision; `open`: changes are asked for, and nobody has closed the request.',
    { example: 'open', required: false },
  )
  decision?: Verdict | 'open';

  @ChoiceField(
    MEDIA_SORTS,
    'The order; `newest` by default. `manual`: by `place`; `rating`: the best first; `decision`: approved, changes requested, ' +
      'none. Equal items come newest first. `cursor` continues after its item, where that stands by now.',
    { example: 'manual', required: false },
  )
  sort?: MediaSort;
}

export class BoardsQuery extends SearchQuery {
  @CustomerFilter() customer?: string;
}

export class BoardDto extends CustomDataDto {
  @IntegerField('Identifier.', { example: 7 }) id!: number;
  @TextField('Name.', { example: 'Summer campaign' }) name!: string;
  @IntegerField('Folders on the board, at any depth.', { example: 2 }) folders_count!: number;
  @IntegerField('Media on the board, in any folder.', { example: 14 }) media_count!: number;
  @TimeField('When it was created.') created_at!: Date;
}

export class FolderDto {
  @IntegerField('Identifier.', { example: 3 }) id!: number;
  @TextField('Name.', { example: 'Drafts' }) name!: string;
  @IntegerField('Parent folder; null at the root.', { nullable: true }) parent_id!: number | null;
}

/** Places are whole numbers below 2^53. */
const PlaceField = () =>
  IntegerField(
    'Place among the media items and notes of its folder: the lowest comes first, of equal ones media before notes, and ' +
      'then the higher id. A new media item comes first.',
    { example: -22_020_096 },
  );

export class NoteDto {
  @IntegerField('Identifier.', { example: 5 }) id!: number;
  @IntegerField('Its board.', { example: 7 }) board_id!: number;
  @IntegerField('Its folder; null at the root.', { nullable: true }) folder_id!: number | null;
  @TextField('Plain text.', { example: 'Colder from here on' }) text!: string;
  @PlaceField() place!: number;
  @IntegerField('User who wrote it.', { example: 1 }) created_by!: number;
  @TimeField('When it was written.') created_at!: Date;
  @TimeField('When it was changed last.') updated_at!: Date;
}

export class PlaceDto {
  @ChoiceField(['media', 'note'], 'Kind of the item.') kind!: 'media' | 'note';
  @IntegerField('Its id.', { example: 21 }) id!: number;
  @PlaceField() place!: number;
}

export class MediaDto extends SeenPictureDto {
  @IntegerField('Identifier.', { example: 21 }) id!: number;
  @TextField('Name of its picture, or of its source before; null for an item without both.', {
    example: 'red fox at dawn 42',
    nullable: true,
  })
  name!: string | null;

  @UrlField('Stored URL of the media item; null until it is processed.', { nullable: true }) url!: string | null;

  @UrlField('Stored URL of the control image; null until it is processed.', { nullable: true })
  control_image!: string | null;

  @IntegerField('Parent folder; null at the root.', { nullable: true }) folder_id!: number | null;
  @PlaceField() place!: number;
  @IntegerField('Rating of its picture; 0 for none.', { example: 4, min: 0, max: MAX_RATING }) rating!: number;
  @ListField(() => String, 'Tags of its picture, in order.', { example: ['blue hour'] }) tags!: readonly string[];
  @TextField('Data of the client, unchanged.', { nullable: true }) extras!: string | null;
  @ChoiceField(['created', 'processed', 'failed'], 'State of its processing.') state!: string;

  @TextField(
    'Error code of a failed media item: `url_blocked`, `url_unreachable`, `url_too_large`, `url_timeout`, ' +
      '`picture_too_large` (more than 50 megapixels, or 200 MB once decoded), ' +
      '`not_an_image` (a picture that cannot be decoded), `unsupported_file_type` (not a picture, MP4 video, glTF ' +
      'or FBX model; or a video that cannot be decoded), `not_found` or `file_expired` (a stored URL), ' +
      '`quota_exceeded` (the storage of the workspace is full), `internal_error`.',
    { nullable: true },
  )
  error!: string | null;

  @TextField('Content type, decided from the bytes.', { nullable: true }) content_type!: string | null;
  @ChoiceField(VERDICTS, 'The latest decision in its review.') decision!: Verdict;
  @BooleanField('Whether changes are asked for that no newer version has answered and nobody has closed.')
  changes_open!: boolean;

  @IntegerField('How many comments it has.', { example: 2 }) comments_count!: number;
  @VersionField() version!: number;
  @VersionsField() versions!: readonly number[];
  @TimeField('When it was added.') created_at!: Date;
}

export class WholeBoardDto extends BoardDto {
  @ListField(() => FolderDto, 'All folders of the board.') folders!: FolderDto[];
  @ListField(() => NoteDto, 'All notes of the board, oldest first.') notes!: NoteDto[];
  // The last field: `renderBoard` goes on with it.
  @ListField(() => MediaDto, 'All media of the board, newest first.') media!: MediaDto[];
}

export class FolderWithMediaDto extends FolderDto {
  @ListField(() => MediaDto, 'Media in the folder, newest first.') media!: MediaDto[];
}

export class CountedFolderDto extends FolderDto {
  @IntegerField('Folders directly in it.', { example: 0 }) folders_count!: number;
  @IntegerField('Media directly in it.', { example: 4 }) media_count!: number;
}

export class BoardsResponse extends PageResponse {
  @ListField(() => BoardDto, 'Boards of the workspace, newest first.') boards!: BoardDto[];
}

export class BoardResponse {
  @ObjectField(() => BoardDto, 'The board.') board!: BoardDto;
}

export class WholeBoardResponse {
  @ObjectField(() => WholeBoardDto, 'The board with everything on it.') board!: WholeBoardDto;
}

export class FoldersResponse extends PageResponse {
  @ListField(() => FolderWithMediaDto, 'Folders, newest first, each with its media.') folders!: FolderWithMediaDto[];
}

export class FolderResponse {
  @ObjectField(() => FolderDto, 'The folder.') folder!: FolderDto;
}

export class FolderListingResponse extends PageResponse {
  @ObjectField(() => FolderDto, 'The folder.') folder!: FolderDto;
  @ListField(() => CountedFolderDto, 'Folders directly in it.') folders!: CountedFolderDto[];
  @ListField(() => MediaDto, 'A page of the media in it, newest first.') media!: MediaDto[];
}

export class MediaListResponse extends PageResponse {
  @ListField(() => MediaDto, 'A page of media, in the order asked for.') media!: MediaDto[];
}

export class MediaResponse {
  @ObjectField(() => MediaDto, 'The media item.') media!: MediaDto;
}

export class PlacesResponse {
  @ListField(() => PlaceDto, 'The items with new places: those of the request, and any that made room.')
  places!: PlaceDto[];
}

export class NoteResponse {
  @ObjectField(() => NoteDto, 'The note.') note!: NoteDto;
}

export class DeletedDto {
  @IntegerField('Deleted folders.', { example: 2 }) folders!: number;
  @IntegerField('Deleted media.', { example: 14 }) media!: number;
}

export class DeletedResponse {
  @ObjectField(() => DeletedDto, 'How many folders and media items were deleted.') deleted!: DeletedDto;
}

export class BulkResultDto {
  @IntegerField('The requested id.', { example: 21 }) id!: number;
  @ChoiceField(['ok', 'not_found'], 'Result for this id.') result!: 'ok' | 'not_found';
}

export class BulkResponse {
  @ListField(() => BulkResultDto, 'A result for each id, in the order given.') results!: BulkResultDto[];
}

export class DeletedManyResponse extends BulkResponse {
  @ObjectField(() => DeletedDto, 'How many folders and media items were deleted.') deleted!: DeletedDto;
}

export const boardDto = (board: Board) => dtoOf(BoardDto, board);

export const noteDto = (note: Note) => dtoOf(NoteDto, note);

export const placeDto = (placed: Placed) => dtoOf(PlaceDto, placed);

export const folderDto = (folder: Folder) => dtoOf(FolderDto, folder);

const NO_REVIEW: ReviewSummary = { decision: 'none', isOpen: false, commentsCount: 0, earlier: [] };

export function mediaDto(media: MediaView, { urls, reviews }: Shown): MediaDto {
  const { fileKey, controlImageKey, thumbnails } = media;
  const review = reviews.get(media.id) ?? NO_REVIEW;
  return dtoOf(MediaDto, {
    ...media,
    name: mediaNameOf(media),
    ...review,
    changesOpen: review.isOpen,
    ...versionsOf({ id: media.id, earlier: review.earlier }),
    url: fileKey && urls.urlOf(fileKey),
    controlImage: controlImageKey && urls.urlOf(controlImageKey),
    thumbnails: thumbnailDtos(thumbnails, urls),
  });
}

export const mediaDtos = (media: readonly MediaView[], shown: Shown) => media.map((each) => mediaDto(each, shown));

export function wholeBoardResponse(board: WholeBoard, shown: Shown): WholeBoardResponse {
  const { folders, notes, media } = board;
  const lists = { folders: folders.map(folderDto), notes: notes.map(noteDto), media: mediaDtos(media, shown) };
  return { board: { ...boardDto(board), ...lists } };
}

export function mediaFilterOf({ folder_id: folderId, q: text, tag, ...query }: MediaQuery): MediaFilter {
  return { folderId, text, tags: tag && tagsOf(tag, 'tag'), decision: query.decision, sort: query.sort };
}

/** The place that a request names. */
export const afterOf = ({ after, after_note: afterNote }: PlaceRequest) => ({ after, afterNote });

export const foldersResponse = (page: Page<FolderWithMedia>, shown: Shown): FoldersResponse =>
  listOf('folders', page, (each) => ({ ...folderDto(each), media: mediaDtos(each.media, shown) }));

export function folderListingResponse({ folder, folders, media }: FolderView, shown: Shown): FolderListingResponse {
  return {
    folder: folderDto(folder),
    folders: folders.map((each) => dtoOf(CountedFolderDto, each)),
    ...mediaListResponse(media, shown),
  };
}

export const mediaListResponse = (page: Page<MediaView>, shown: Shown): MediaListResponse =>
  listOf('media', page, (each) => mediaDto(each, shown));

export function deletedResponse({ folders, media }: Deleted): DeletedResponse {
  return { deleted: { folders, media } };
}

export function bulkResults(ids: readonly number[], done: { has(id: number): boolean }): BulkResultDto[] {
  return ids.map((id) => ({ id, result: done.has(id) ? 'ok' : 'not_found' }));
}

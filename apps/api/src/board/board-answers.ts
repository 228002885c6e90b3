import type { Board, Deleted, Folder } from '#board';
import {
  ChoiceField,
  cursorOf,
  IntegerField,
  JsonText,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';

export class BoardView {
  @IntegerField({ description: 'Identifier.', example: 7 })
  id!: number;

  @TextField({ description: 'Name.', example: 'Summer campaign' })
  name!: string;

  @IntegerField({ description: 'Folders on the board, at any depth.', example: 2 })
  folders_count!: number;

  @IntegerField({ description: 'Media on the board, in whatever folder.', example: 14 })
  media_count!: number;

  @TimeField({ description: 'When it was made.' })
  created_at!: Date;
}

export class FolderView {
  @IntegerField({ description: 'Identifier.', example: 3 })
  id!: number;

  @TextField({ description: 'Name.', example: 'Drafts' })
  name!: string;

  @IntegerField({ description: 'Folder that it lies in; null at the root.', nullable: true })
  parent_id!: number | null;
}

export class ThumbnailView {
  @UrlField({ description: 'Where it is, a WebP.' })
  url!: string;

  @IntegerField({ description: 'Pixels.', example: 320 })
  width!: number;

  @IntegerField({ description: 'Pixels.', example: 213 })
  height!: number;
}

export class MediaView {
  @IntegerField({ description: 'Identifier.', example: 21 })
  id!: number;

  @UrlField({ description: 'Stored URL of the media; null until it is processed.', nullable: true })
  url!: string | null;

  @UrlField({ description: 'Stored URL of the control image; null until it is processed.', nullable: true })
  control_image!: string | null;

  @IntegerField({ description: 'Folder that it lies in; null at the root.', nullable: true })
  folder_id!: number | null;

  @TextField({ description: 'The data given along, as it was given.', nullable: true })
  extras!: string | null;

  @ChoiceField(['created', 'processed', 'failed'], { description: 'Whether the worker is done with it.' })
  state!: string;

  @TextField({
    description:
      'Why it failed: `url_blocked`, `url_unreachable`, `url_too_large`, `url_timeout`, `not_an_image` (a picture that can not be decoded), `unsupported_file_type` (no picture, MP4 video, glTF or FBX model; or a video that can not be decoded), `not_found` or `file_expired` (a stored URL), `internal_error`.',
    nullable: true,
  })
  error!: string | null;

  @IntegerField({ description: 'Pixels, upright.', nullable: true })
  width!: number | null;

  @IntegerField({ description: 'Pixels, upright.', nullable: true })
  height!: number | null;

  @NumberField({ description: 'Seconds, of a video.', nullable: true })
  duration!: number | null;

  @TextField({ description: 'Content type, decided from the bytes.', nullable: true })
  content_type!: string | null;

  @TextField({
    description: 'ThumbHash of the picture, base64, to be shown until it is loaded.',
    nullable: true,
  })
  placeholder!: string | null;

  @ListField(() => ThumbnailView, { description: 'Smaller pictures, smallest first.' })
  thumbnails!: ThumbnailView[];

  @TimeField({ description: 'When it was added.' })
  created_at!: Date;
}

export class WholeBoardView extends BoardView {
  @ListField(() => FolderView, { description: 'All folders of the board.' })
  folders!: FolderView[];

  @ListField(() => MediaView, { description: 'All media of the board, newest first.' })
  media!: MediaView[];
}

export class FolderWithMediaView extends FolderView {
  @ListField(() => MediaView, { description: 'Media in the folder, newest first.' })
  media!: MediaView[];
}

export class CountedFolderView extends FolderView {
  @IntegerField({ description: 'Folders directly in it.', example: 0 })
  folders_count!: number;

  @IntegerField({ description: 'Media directly in it.', example: 4 })
  media_count!: number;
}

class PageAnswer {
  @TextField({ description: 'Where the next page starts; null at the end.', nullable: true })
  next_cursor!: string | null;
}

export class BoardsAnswer extends PageAnswer {
  @ListField(() => BoardView, { description: 'Boards of the workspace, newest first.' })
  boards!: BoardView[];
}

export class BoardAnswer {
  @ObjectField(() => BoardView, { description: 'The board.' })
  board!: BoardView;
}

export class WholeBoardAnswer {
  @ObjectField(() => WholeBoardView, { description: 'The board with everything on it.' })
  board!: WholeBoardView;
}

export class FoldersAnswer extends PageAnswer {
  @ListField(() => FolderWithMediaView, { description: 'Folders, newest first, each with its media.' })
  folders!: FolderWithMediaView[];
}

export class FolderAnswer {
  @ObjectField(() => FolderView, { description: 'The folder.' })
  folder!: FolderView;
}

export class FolderListingAnswer extends PageAnswer {
  @ObjectField(() => FolderView, { description: 'The folder.' })
  folder!: FolderView;

  @ListField(() => CountedFolderView, { description: 'Folders directly in it.' })
  folders!: CountedFolderView[];

  @ListField(() => MediaView, { description: 'A page of the media in it, newest first.' })
  media!: MediaView[];
}

export class MediaListAnswer extends PageAnswer {
  @ListField(() => MediaView, { description: 'A page of media, newest first.' })
  media!: MediaView[];
}

export class MediaAnswer {
  @ObjectField(() => MediaView, { description: 'The media.' })
  media!: MediaView;
}

export class DeletedView {
  @IntegerField({ description: 'Folders that are gone.', example: 2 })
  folders!: number;

  @IntegerField({ description: 'Media that are gone.', example: 14 })
  media!: number;
}

export class DeletedAnswer {
  @ObjectField(() => DeletedView, { description: 'How much was deleted.' })
  deleted!: DeletedView;
}

export class BulkResultView {
  @IntegerField({ description: 'The id as it was given.', example: 21 })
  id!: number;

  @ChoiceField(['ok', 'not_found'], { description: 'What became of it.' })
  result!: 'ok' | 'not_found';
}

export class BulkAnswer {
  @ListField(() => BulkResultView, { description: 'A result for each id, in the order given.' })
  results!: BulkResultView[];
}

export class DeletedManyAnswer extends BulkAnswer {
  @ObjectField(() => DeletedView, { description: 'How much was deleted.' })
  deleted!: DeletedView;
}

export function boardAnswer(board: Board): BoardAnswer {
  return {
    board: {
      id: board.id,
      name: board.name,
      folders_count: board.foldersCount,
      media_count: board.mediaCount,
      created_at: board.createdAt,
    },
  };
}

export function folderAnswer(folder: Folder): FolderAnswer {
  return { folder: { id: folder.id, name: folder.name, parent_id: folder.parentId } };
}

export function deletedAnswer(deleted: Deleted): DeletedAnswer {
  return { deleted: { folders: deleted.folders, media: deleted.media } };
}

export function bulkResults(ids: readonly number[], done: { has(id: number): boolean }): BulkResultView[] {
  return ids.map((id) => ({ id, result: done.has(id) ? 'ok' : 'not_found' }));
}

export function mediaAnswer(json: string): JsonText {
  return new JsonText(`{"media":${json}}`);
}

export function pageAnswer(list: { readonly json: string; readonly next: number | null }): JsonText {
  return new JsonText(`${list.json.slice(0, -1)},"next_cursor":${JSON.stringify(cursorOf(list.next))}}`);
}

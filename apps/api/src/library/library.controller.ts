import { Controller, Delete, Get, Inject, Module, Put } from '@nestjs/common';
import { StoredUrls, type IssuedUrls } from '#files';
import { customerFilterFor, type Actor } from '#identity';
import { DEFAULT_PAGE, notFound } from '#kernel';
import { Library, LibraryDeletion, tagPrefixOf, type LibraryViews } from '#library';
import { LibraryModule, libraryViews } from '#wiring';
import {
  CurrentActor,
  ExistenceChecks,
  Existing,
  PathId,
  Post,
  RequestBody,
  RequestQuery,
  Responds,
  CurrentUrls,
} from '../http/index.ts';
import {
  deletedItems,
  DeletedItemsResponse,
  DeleteItemsRequest,
  pictureDto,
  FileThumbnailsResponse,
  filterOf,
  libraryCursorOf,
  libraryItemDto,
  LibraryItemResponse,
  LibraryQuery,
  LibraryResponse,
  markedItemDto,
  MarkedItemsResponse,
  readLibraryCursor,
  TagItemsRequest,
  TagsQuery,
  TagsResponse,
  ThumbnailsQuery,
  UpdateItemRequest,
} from './library.dto.ts';
import { SavedSearchesController } from './saved-searches.controller.ts';

@Controller('v2/library')
export class LibraryController {
  constructor(
    @Inject(libraryViews) private readonly views: LibraryViews,
    @Inject(Library) private readonly library: Library,
    @Inject(LibraryDeletion) private readonly deletion: LibraryDeletion,
    @Inject(ExistenceChecks) checks: ExistenceChecks,
    @Inject(StoredUrls) private readonly stored: StoredUrls,
  ) {
    checks.register('item', async ({ workspaceId }, id) => (await views.item(workspaceId, id)) !== null);
  }

  @Get()
  @Responds(200, LibraryResponse, {
    id: 'library.list',
    summary: 'Search the library',
    description:
      'Searches the pictures, videos and 3D models of the workspace: outputs, uploads and imports, without temporary and ' +
      'deleted files. Returns the items that match all given filters.',
    errors: ['forbidden', 'not_found'],
  })
  async getLibrary(@CurrentActor() actor: Actor, @CurrentUrls() urls: IssuedUrls, @RequestQuery() query: LibraryQuery) {
    customerFilterFor(actor, query.customer);
    const page = { limit: query.limit ?? DEFAULT_PAGE, after: readLibraryCursor(query.cursor) };
    const { items, next } = await this.views.search(actor.workspaceId, filterOf(query), page);
    return { items: items.map((item) => libraryItemDto(item, urls)), next_cursor: libraryCursorOf(next) };
  }

  @Get('thumbnails')
  @Responds(200, FileThumbnailsResponse, {
    id: 'library.thumbnails.list',
    summary: 'Find the thumbnails of files',
    description:
      'Finds the thumbnails of stored files by their URLs, such as those of the slots of a persona or of the inputs of a ' +
      'generation. Returns the thumbnails of each file of the workspace, and nothing for other URLs.',
  })
  async getThumbnails(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @RequestQuery() query: ThumbnailsQuery,
  ) {
    const keys = query.urls.flatMap((each) => this.stored.keyOf(each) ?? []);
    const files = await this.views.pictures(workspaceId, keys);
    return { files: files.map((each) => pictureDto(each, urls)) };
  }

  @Get(':file_id')
  @Responds(200, LibraryItemResponse, {
    id: 'library.get',
    summary: 'Read an item of the library',
    description: 'Reads one item of the library. Returns the item.',
    errors: ['not_found'],
  })
  async getItem(
    @CurrentActor() { workspaceId }: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('file_id') fileId: number,
  ) {
    const item = await this.views.item(workspaceId, fileId);
    if (!item) throw notFound('item');
    return { item: libraryItemDto(item, urls) };
  }

  @Put(':file_id')
  @Existing('item', 'file_id')
  @Responds(200, LibraryItemResponse, {
    id: 'library.update',
    summary: 'Name, rate and tag an item',
    description:
      'Changes the name, the rating and the tags of an item. Returns the item. Tags have one form: lower case, without spaces ' +
      'at the ends.',
  })
  async putItem(
    @CurrentActor() actor: Actor,
    @CurrentUrls() urls: IssuedUrls,
    @PathId('file_id') fileId: number,
    @RequestBody() body: UpdateItemRequest,
  ) {
    await this.library.update(actor, fileId, body);
    const item = await this.views.item(actor.workspaceId, fileId);
    if (!item) throw notFound('item');
    return { item: libraryItemDto(item, urls) };
  }

  @Post('tag')
  @Responds(200, MarkedItemsResponse, {
    id: 'library.tagMany',
    summary: 'Tag and rate up to 500 items',
    description:
      'Adds tags to items, removes tags from them, and rates them, all or none. Returns the items as they are now. An item ' +
      'has 32 tags at most.',
  })
  async postTag(@CurrentActor() actor: Actor, @RequestBody() body: TagItemsRequest) {
    const items = await this.library.tag(actor, body.file_ids, body);
    return { items: items.map(markedItemDto) };
  }

  @Delete(':file_id')
  @Responds(200, DeletedItemsResponse, {
    id: 'library.delete',
    summary: 'Delete an item',
    description:
      'Deletes an item of the library, which can be restored from the trash. A file that a board, a slot, a style or an open ' +
      'generation uses stays for that. Returns the id and the entry of the trash. Only for its maker, admins and the owner.',
  })
  async deleteItem(@CurrentActor() actor: Actor, @PathId('file_id') fileId: number) {
    return deletedItems(await this.deletion.delete(actor, fileId));
  }

  @Post('delete')
  @Responds(200, DeletedItemsResponse, {
    id: 'library.deleteMany',
    summary: 'Delete up to 500 items',
    description:
      'Deletes items of the library, which one entry of the trash restores together. A file that something else uses stays for ' +
      'that. Returns the ids of the deleted items: others are left out, as are items that members did not make themselves.',
  })
  async postDelete(@CurrentActor() actor: Actor, @RequestBody() body: DeleteItemsRequest) {
    return deletedItems(await this.deletion.deleteMany(actor, body.file_ids));
  }
}

@Controller('v2/tags')
export class TagsController {
  constructor(@Inject(libraryViews) private readonly views: LibraryViews) {}

  @Get()
  @Responds(200, TagsResponse, {
    id: 'tags.list',
    summary: 'List tags',
    description: 'Lists the tags of the items in the library, in order. Returns each tag with the number of its items.',
  })
  async getTags(@CurrentActor() { workspaceId }: Actor, @RequestQuery() query: TagsQuery) {
    const { prefix = '', limit = DEFAULT_PAGE, cursor } = query;
    const after = cursor === undefined ? null : tagPrefixOf(Buffer.from(cursor, 'base64url').toString());
    const found = await this.views.tags(workspaceId, tagPrefixOf(prefix), limit + 1, after);
    const tags = found.slice(0, limit);
    const last = found.length > limit ? tags.at(-1)! : null;
    return { tags, next_cursor: last && Buffer.from(last.tag).toString('base64url') };
  }
}

@Module({ imports: [LibraryModule], controllers: [LibraryController, TagsController, SavedSearchesController] })
export class LibraryApiModule {}

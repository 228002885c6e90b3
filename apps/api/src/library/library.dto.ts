import { rgbOf } from '#sources';
import { FILE_SOURCES, type FileSource, type FileUrls, type Picture } from '#files';
import { DEFAULT_PAGE, invalidField, MAX_PAGE, type Metadata } from '#kernel';
import {
  ITEM_KINDS,
  ITEM_ORIGINS,
  LIBRARY_SORTS,
  MAX_DELETED,
  MAX_MARKED,
  MAX_QUERY,
  MAX_RATING,
  MAX_TAG_COUNT,
  MAX_TAG_UNITS,
  MAX_TAGS,
  tagsOf,
  type DeletedItems,
  type ItemKind,
  type LibraryCursor,
  type LibraryFilter,
  type LibraryItem,
  type LibrarySort,
  type MarkedItem,
} from '#library';
import { PictureDto, PictureNameField, pictureUrls } from '../files/picture.dto.ts';
import {
  ChoiceField,
  ChoicesField,
  CustomerFilter,
  dtoOf,
  IdsField,
  IntegerField,
  ListField,
  ObjectField,
  PageResponse,
  ShownCustomer,
  ShownMetadata,
  TextField,
  TextsField,
  TimeBoundField,
  TimeField,
  timeOf,
} from '../http/index.ts';

/** The filters of a search; the query of `GET /v2/library` and the content of a saved search. */
export class LibraryFilterFields {
  @TextField(
    'Words of the prompt, name, tags, persona or model, in any order; the first twelve are searched. A word of three ' +
      'letters or more also finds words that begin with it, and a typing error is forgiven.',
    { example: 'red fox', max: MAX_QUERY, required: false },
  )
  q?: string;

  @ChoicesField(ITEM_KINDS, 'Only items of one of these kinds.', { example: ['image'], required: false })
  kind?: ItemKind[];

  @ChoiceField(ITEM_ORIGINS, 'Only items of this origin.', { example: 'output', required: false })
  origin?: LibraryItem['origin'];

  @ChoiceField(
    FILE_SOURCES,
    'Only items that came to be in this way: `origin` by the names of provenance. None is `derived`.',
    { example: 'generated', required: false },
  )
  source?: FileSource;

  @TextField('Only outputs of this model.', { example: 'local-image', max: 100, required: false }) model?: string;
  @IntegerField('Only items of this persona.', { example: 6, min: 1, required: false }) persona_id?: number;
  @IntegerField('Only items that this user made or uploaded.', { example: 7, min: 1, required: false })
  user_id?: number;

  @CustomerFilter() customer?: string;

  @IntegerField('Only the outputs of this generation.', { example: 31, min: 1, required: false })
  generation_id?: number;

  @TextsField('Only items with all of these tags.', {
    example: ['blue hour'],
    max: MAX_TAGS,
    maxUnits: MAX_TAG_UNITS,
    required: false,
  })
  tag?: string[];

  @IntegerField('Only items with this rating or a higher one.', {
    example: 4,
    min: 0,
    max: MAX_RATING,
    required: false,
  })
  rating?: number;

  @TextField('Only items with a dominant colour near this one, among the newest 100,000.', {
    example: '#c04030',
    max: 7,
    pattern: /^#[0-9a-fA-F]{6}$/,
    patternMeans: 'a colour such as #c04030',
    required: false,
  })
  color?: string;

  @IntegerField('Only items near this file in shape and colour, among the newest 100,000.', {
    example: 12,
    min: 1,
    required: false,
  })
  like?: number;

  @TimeBoundField('Only items created at this time or later; a date begins at midnight, UTC.') after?: string;
  @TimeBoundField('Only items created before this time.') before?: string;

  @ChoiceField(
    LIBRARY_SORTS,
    'The order. Default: `relevance` with `q`, `color` or `like`, otherwise `newest`. Relevance of words is compared among ' +
      'the newest 500 matches, then the next 500, and so on.',
    { example: 'newest', required: false },
  )
  sort?: LibrarySort;
}

export class LibraryQuery extends LibraryFilterFields {
  @IntegerField(`Maximum number of items; ${DEFAULT_PAGE} by default.`, {
    example: 20,
    min: 1,
    max: MAX_PAGE,
    required: false,
  })
  limit?: number;

  @TextField('Where to continue: `next_cursor` of the previous response, with the same filters.', {
    max: 200,
    required: false,
  })
  cursor?: string;
}

/** @throws DomainError `validation_failed` */
export function filterOf(fields: LibraryFilterFields): LibraryFilter {
  const { q, kind, tag, persona_id, user_id, generation_id, after, before, ...same } = fields;
  const { origin, source, model, customer, rating, color, like, sort } = same;
  const all: { readonly [Name in keyof LibraryFilter]: LibraryFilter[Name] | undefined } = {
    text: q?.trim() === '' ? undefined : q,
    kinds: kind,
    origin,
    source,
    model,
    personaId: persona_id,
    userId: user_id,
    customer,
    generationId: generation_id,
    tags: tag && tagsOf(tag, 'tag'),
    rating,
    color: color?.toLowerCase(),
    like,
    after: timeOf('after', after),
    before: timeOf('before', before),
    sort,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Opaque for callers. */
export function libraryCursorOf(cursor: LibraryCursor | null): string | null {
  return cursor && Buffer.from([cursor.sort, ...cursor.position].join(':')).toString('base64url');
}

/** @throws DomainError `validation_failed` */
export function readLibraryCursor(text: string | undefined): LibraryCursor | null {
  if (text === undefined) return null;
  const [name, ...numbers] = Buffer.from(text, 'base64url').toString('latin1').split(':');
  const sort = LIBRARY_SORTS.find((each) => each === name);
  const isPosition = numbers.every((each) => /^-?\d{1,16}(\.\d{1,20})?(e-\d{1,2})?$/.test(each));
  if (!sort || !isPosition) throw invalidField('cursor', 'must be the next_cursor of an earlier response');
  return { sort, position: numbers.map(Number) };
}

export class LibraryItemDto extends PictureDto {
  @IntegerField('Identifier of the file.', { example: 12 }) file_id!: number;
  @TextField('Name of the file.', { example: 'portrait.jpg' }) filename!: string;
  @ChoiceField(ITEM_KINDS, 'What it is.', { example: 'image' }) kind!: ItemKind;
  @ChoiceField(ITEM_ORIGINS, 'Where it comes from.', { example: 'output' }) origin!: LibraryItem['origin'];
  @TextField('Prompt of an output.', { example: 'a fox in the snow', nullable: true }) prompt!: string | null;
  @TextField('Model of an output.', { example: 'local-image', nullable: true }) model!: string | null;
  @IntegerField('Its persona; null for none.', { example: 6, nullable: true }) persona_id!: number | null;
  @IntegerField('Generation of an output.', { example: 31, nullable: true }) generation_id!: number | null;
  @IntegerField('Batch of an output.', { example: null, nullable: true }) batch_id!: number | null;
  @ListField(() => String, 'Its tags, in order.', { example: ['blue hour'] }) tags!: readonly string[];
  @IntegerField('Its rating; 0 for none.', { example: 4, min: 0, max: MAX_RATING }) rating!: number;
  @ListField(() => String, 'Dominant colours, the most frequent first; empty until they are known.', {
    example: ['#c54231', '#f7efe7'],
  })
  colors!: string[];

  @ShownCustomer() customer!: string | null;
  @ShownMetadata() metadata!: Metadata | null;
  @TimeField('When it was added.') created_at!: Date;
}

export function libraryItemDto(item: LibraryItem, urls: FileUrls): LibraryItemDto {
  return dtoOf(LibraryItemDto, { ...item, ...pictureUrls(item, urls), colors: item.colors.map(hexOf) });
}

/** Maximum files of one call: their URLs are part of its own. */
const MAX_URLS = 20;

export class ThumbnailsQuery {
  @TextsField(`URLs of files, at most ${MAX_URLS}.`, {
    example: ['https://files.example.com/files/9f/ada.jpg'],
    max: MAX_URLS,
    maxUnits: 2_048,
  })
  urls!: string[];
}

export class FileThumbnailsResponse {
  @ListField(() => PictureDto, 'The files of the workspace among them.') files!: PictureDto[];
}

export function pictureDto(picture: Picture, urls: FileUrls): PictureDto {
  return dtoOf(PictureDto, { ...picture, ...pictureUrls(picture, urls) });
}

function hexOf(cell: number): string {
  return `#${Buffer.from(rgbOf(cell)).toString('hex')}`;
}

export class LibraryResponse extends PageResponse {
  @ListField(() => LibraryItemDto, 'The items that match, in the order asked for. There may be fewer than `limit`.')
  items!: LibraryItemDto[];
}

export class LibraryItemResponse {
  @ObjectField(() => LibraryItemDto, 'The item.') item!: LibraryItemDto;
}

const RatingField = () =>
  IntegerField('The rating; 0 takes it away.', { example: 4, min: 0, max: MAX_RATING, required: false });

const TagsField = (description: string, min: number) =>
  TextsField(description, { example: ['blue hour'], min, max: MAX_TAGS, maxUnits: MAX_TAG_UNITS, required: false });

export class UpdateItemRequest {
  @PictureNameField({ required: false }) name?: string;
  @RatingField() rating?: number;
  @TagsField('All tags of the item; they replace those that it has.', 0) tags?: string[];
}

export class TagItemsRequest {
  @IdsField(`Files, ${MAX_MARKED} at most. Ids that are no item of the workspace are left out.`, {
    example: [12, 13],
    max: MAX_MARKED,
  })
  file_ids!: number[];

  @TagsField('Tags to add.', 0) add?: string[];
  @TagsField('Tags to remove. A tag that is added too stays.', 0) remove?: string[];
  @RatingField() rating?: number;
}

export class MarkedItemDto {
  @IntegerField('Identifier of the file.', { example: 12 }) file_id!: number;
  @ListField(() => String, 'Its tags, in order.', { example: ['blue hour'] }) tags!: readonly string[];
  @IntegerField('Its rating; 0 for none.', { example: 4 }) rating!: number;
}

export class MarkedItemsResponse {
  @ListField(() => MarkedItemDto, 'The items as they are now, by id.') items!: MarkedItemDto[];
}

export function markedItemDto({ fileId, tags, rating }: MarkedItem): MarkedItemDto {
  return { file_id: fileId, tags, rating };
}

export class DeleteItemsRequest {
  @IdsField(
    `Files, ${MAX_DELETED} at most. Ids of no item, and of items that the caller may not delete, are left out.`,
    { example: [12, 13], max: MAX_DELETED },
  )
  file_ids!: number[];
}

export class DeletedItemsResponse {
  @ListField(() => Number, 'The files of the deleted items, by id.', { example: [12, 13] })
  file_ids!: readonly number[];

  @IntegerField('The entry of the trash that restores them; null if none was deleted.', { example: 31, nullable: true })
  trash_id!: number | null;
}

export function deletedItems({ fileIds, entryId }: DeletedItems): DeletedItemsResponse {
  return { file_ids: fileIds, trash_id: entryId };
}

export class TagsQuery {
  @TextField('Only tags that begin with this text.', { example: 'blue', max: MAX_TAG_UNITS, required: false })
  prefix?: string;

  @IntegerField(`Maximum number of tags; ${DEFAULT_PAGE} by default.`, {
    example: 20,
    min: 1,
    max: MAX_PAGE,
    required: false,
  })
  limit?: number;

  @TextField('Where to continue: `next_cursor` of the previous response.', { max: 2 * MAX_TAG_UNITS, required: false })
  cursor?: string;
}

export class TagDto {
  @TextField('The tag.', { example: 'blue hour' }) tag!: string;
  @IntegerField(`How many items have it; ${MAX_TAG_COUNT} stands for that many or more.`, { example: 17 })
  items!: number;
}

export class TagsResponse extends PageResponse {
  @ListField(() => TagDto, 'Tags of at least one item, in order.') tags!: readonly TagDto[];
}

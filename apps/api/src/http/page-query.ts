import { DEFAULT_PAGE, invalidField, MAX_PAGE, pageOf, WHOLE_LIST, type Page, type PageRequest } from '#kernel';
import { IntegerField } from './fields/number-fields.ts';
import { readFields } from './fields/dto.ts';
import { TextField } from './fields/text-fields.ts';
import { fieldsParameter, markMethod, PAGE_QUERY } from './parameters.ts';

/** The query fields of a paginated list. */
export class PageFields {
  @IntegerField(`Maximum number of entries; ${DEFAULT_PAGE} if only \`cursor\` is given.`, {
    example: 20,
    min: 1,
    max: MAX_PAGE,
    required: false,
  })
  limit?: number;

  @TextField('Where to continue: `next_cursor` of the previous response.', { max: 100, required: false })
  cursor?: string;
}

/** The query field of a list that is searched by name. */
export class SearchQuery {
  @TextField('Only entries whose name contains this text, in upper or lower case.', {
    example: 'summer',
    max: 255,
    required: false,
  })
  q?: string;
}

const PageParameter = fieldsParameter((fields, whole: boolean): PageRequest => {
  const { limit, cursor } = readFields(PageFields, fields);
  if (whole && limit === undefined && cursor === undefined) return WHOLE_LIST;
  return { limit: limit ?? DEFAULT_PAGE, after: cursor === undefined ? null : readCursor(cursor) };
});

/**
 * The requested page, as `PageRequest`; the response carries `next_cursor: cursorOf(page.next)`.
 *
 * @param options.whole returns the whole list if neither `limit` nor `cursor` is given, instead of its first page
 */
export function PageQuery({ whole = false } = {}): ParameterDecorator {
  return (prototype, method, index) => {
    PageParameter(whole)(prototype, method, index);
    markMethod(prototype, method!, PAGE_QUERY, true);
  };
}

/** The fields of a response that is a page of a list, besides the list. */
export class PageResponse {
  @TextField('Cursor of the next page; null on the last page.', { nullable: true }) next_cursor!: string | null;
}

/** The page of a list that is read whole, as it is short; in the order of its ids, the newest or the oldest first. */
export function pageOfWhole<T extends { readonly id: number }>(
  all: readonly T[],
  { limit, after }: PageRequest,
  first: 'newest' | 'oldest' = 'newest',
): Page<T> {
  const isLater = (id: number) => after === null || (first === 'newest' ? id < after : id > after);
  const rest = all.filter(({ id }) => isLater(id));
  return pageOf(rest, limit, ({ id }) => id);
}

/** The opaque cursor of the id to continue after. */
export function cursorOf(id: number | null): string | null {
  return id === null ? null : Buffer.from(`after:${id}`).toString('base64url');
}

function readCursor(cursor: string): number {
  const id = /^after:([1-9][0-9]{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (id === undefined || !Number.isSafeInteger(Number(id))) {
    throw invalidField('cursor', 'must be the next_cursor of an earlier response');
  }
  return Number(id);
}

/** A page as a response: the items by `name`, and the cursor of the next page. */
export function listOf<const Name extends string, Item, Dto>(
  name: Name,
  { items, next }: Page<Item>,
  dtoOf: (item: Item) => Dto,
): { [Each in Name]: Dto[] } & { next_cursor: string | null } {
  return { [name]: items.map((item) => dtoOf(item)), next_cursor: cursorOf(next) } as never;
}

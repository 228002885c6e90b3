import { DEFAULT_PAGE, invalidField, MAX_PAGE } from '#kernel';
import type { LibraryFilter, SavedSearch } from '#library';
import { dtoOf, IntegerField, ListField, ObjectField, PageResponse, TextField, TimeField } from '../http/index.ts';
import { filterOf, LibraryFilterFields } from './library.dto.ts';

const MAX_NAME = 100;

export class SavedSearchRequest extends LibraryFilterFields {
  @TextField('Name of the search, unique in the workspace.', { example: 'Best of the blue hour', max: MAX_NAME })
  name!: string;
}

export class UpdateSavedSearchRequest extends LibraryFilterFields {
  @TextField('New name, unique in the workspace.', { example: 'Blue hour', min: 1, max: MAX_NAME, required: false })
  name?: string;
}

/** The filter of a change: undefined when it names no filter, and the saved one stays. */
export function changedFilterOf({ name: _, ...fields }: UpdateSavedSearchRequest): LibraryFilter | undefined {
  const isGiven = Object.values(fields).some((value) => value !== undefined);
  return isGiven ? filterOf(fields) : undefined;
}

export class SavedSearchDto {
  @IntegerField('Identifier of the search.', { example: 3 }) id!: number;
  @TextField('Its name.', { example: 'Best of the blue hour' }) name!: string;
  @ObjectField(() => LibraryFilterFields, 'Its filters, as the query of `GET /v2/library` takes them.')
  filter!: LibraryFilterFields;
  @IntegerField('User who saved it.', { example: 7 }) created_by!: number;
  @TimeField('When it was saved.') created_at!: Date;
  @TimeField('When it was last changed.') updated_at!: Date;
}

export class SavedSearchResponse {
  @ObjectField(() => SavedSearchDto, 'The saved search.') search!: SavedSearchDto;
}

export class SavedSearchesQuery {
  @IntegerField(`Maximum number of searches; ${DEFAULT_PAGE} by default.`, {
    example: 20,
    min: 1,
    max: MAX_PAGE,
    required: false,
  })
  limit?: number;

  @TextField('Where to continue: `next_cursor` of the previous response.', { max: 6 * MAX_NAME, required: false })
  cursor?: string;
}

export class SavedSearchesResponse extends PageResponse {
  @ListField(() => SavedSearchDto, 'A page of the saved searches of the workspace, by name.')
  searches!: SavedSearchDto[];
}

/** The opaque cursor of the search to continue after. */
export function cursorOfName(name: string): string {
  return Buffer.from(name).toString('base64url');
}

/** @throws DomainError `validation_failed` */
export function nameIn(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  if (cursorOfName(name) === cursor && !/\p{Cc}/u.test(name)) return name;
  throw invalidField('cursor', 'must be the next_cursor of an earlier response');
}

export function savedSearchDto(search: SavedSearch): SavedSearchDto {
  return dtoOf(SavedSearchDto, { ...search, filter: filterDto(search.filter) });
}

function filterDto(filter: LibraryFilter): LibraryFilterFields {
  const { text, kinds, tags, personaId, userId, generationId, after, before, ...same } = filter;
  const fields = {
    q: text,
    kind: kinds,
    tag: tags,
    persona_id: personaId,
    user_id: userId,
    generation_id: generationId,
    after: after?.toISOString(),
    before: before?.toISOString(),
    ...same,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

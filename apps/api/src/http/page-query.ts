import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { DEFAULT_PAGE, invalidField, MAX_PAGE, type PageRequest } from '#kernel';
import type { ApiRequest } from './api-request.ts';
import { IntegerField, TextField } from './fields/index.ts';
import { queryOf } from './query-of.ts';
import { readFields } from './read-fields.ts';

export interface PageQueryOptions {
  /** Without `limit` and `cursor` the list is given whole. Default false: its first page. */
  readonly whole?: boolean;
}

/** The query fields of a list that is given in pages. */
export class PageFields {
  @IntegerField({
    description: `Entries to answer at most; ${DEFAULT_PAGE} when only \`cursor\` is given.`,
    example: 20,
    min: 1,
    max: MAX_PAGE,
    required: false,
  })
  limit?: number;

  @TextField({
    description: 'Where to go on: `next_cursor` of the answer before.',
    max: 100,
    required: false,
  })
  cursor?: string;
}

export const PAGE_QUERY = Symbol('page query');

const PageParam = createParamDecorator(
  (options: PageQueryOptions, context: ExecutionContext): PageRequest => {
    const { limit, cursor } = readFields(
      PageFields,
      queryOf(context.switchToHttp().getRequest<ApiRequest>()),
    );
    if (options.whole && limit === undefined && cursor === undefined) return { limit: null, after: null };
    return { limit: limit ?? DEFAULT_PAGE, after: cursor === undefined ? null : readCursor(cursor) };
  },
);

/** What a list is asked for, as `PageRequest`; its answer carries `next_cursor: cursorOf(page.next)`. */
export function PageQuery(options: PageQueryOptions = {}): ParameterDecorator {
  return (prototype, method, index) => {
    PageParam(options)(prototype, method, index);
    SetMetadata(PAGE_QUERY, options)(
      prototype,
      method!,
      Object.getOwnPropertyDescriptor(prototype, method!)!,
    );
  };
}

/** The opaque cursor of an id to continue after. */
export function cursorOf(id: number | null): string | null {
  return id === null ? null : Buffer.from(`after:${id}`).toString('base64url');
}

function readCursor(cursor: string): number {
  const id = /^after:([1-9][0-9]{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (id === undefined || !Number.isSafeInteger(Number(id))) {
    throw invalidField('cursor', 'must be the next_cursor of an earlier answer');
  }
  return Number(id);
}

import type { Request } from 'express';

/** The path of the request as it was sent, without the query. */
export function pathOf({ originalUrl }: Request): string {
  const query = originalUrl.indexOf('?');
  return query < 0 ? originalUrl : originalUrl.slice(0, query);
}

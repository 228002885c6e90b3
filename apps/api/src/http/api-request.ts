import type { Request } from 'express';
import type { Actor } from '#identity';
import type { FieldValues } from './field-values.ts';

/** A request with what the edges have found out about it. */
export interface ApiRequest extends Request {
  /** Unique to this request; on its answer and its log lines. */
  id: string;
  /** Who calls; absent on public routes. */
  actor?: Actor;
  /** The body; absent on routes that take none. */
  fields?: FieldValues;
}

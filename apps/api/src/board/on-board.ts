import { applyDecorators, type Type } from '@nestjs/common';
import { Existing, Responds } from '../http/index.ts';

/** The response of a route below `boards/:board_id`: 404 unless the caller has the board, and what `:id` is on it. */
export function OnBoard(
  status: number,
  type: Type<object>,
  { errors = [], ...options }: Parameters<typeof Responds>[2],
  kind?: 'folder' | 'media',
): MethodDecorator {
  return applyDecorators(
    ...(kind ? [Existing(kind, 'id')] : []),
    Existing('board', 'board_id'),
    Responds(status, type, { ...options, errors: ['validation_failed', 'not_found', ...errors] }),
  );
}

import { applyDecorators, type Type } from '@nestjs/common';
import { Existing, Responds } from '../http/index.ts';

/** Describes a route below `boards/:board_id`: it responds 404 unless the board exists and has a `kind` named `:id`. */
export function OnBoard(
  status: number,
  type: Type<object> | null,
  { errors = [], ...options }: Parameters<typeof Responds>[2],
  kind?: 'folder' | 'media',
): MethodDecorator {
  return applyDecorators(
    ...(kind ? [Existing(kind, 'id')] : []),
    Existing('board', 'board_id'),
    Responds(status, type, { ...options, errors: ['validation_failed', 'not_found', ...errors] }),
  );
}

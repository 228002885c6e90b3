import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from '#identity';
import type { ApiRequest } from './api-request.ts';

/** The `Actor` that the request's token stands for. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { actor } = context.switchToHttp().getRequest<ApiRequest>();
  if (!actor) throw new Error('@CurrentActor() on a public route');
  return actor;
});

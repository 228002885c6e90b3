import type { ErrorCode } from '#kernel';
import { permissionOf } from '#identity';
import type { Route } from '../routes.ts';

/** Every error that a route can answer: its own, and those of the edges that it goes through. */
export function errorCodesOf(route: Route, method: string): ErrorCode[] {
  const permission = route.action && permissionOf(route.action);
  const readsInput = route.takesBody || route.queries.length > 0 || route.pathIds.length > 0;
  const codes: (ErrorCode | false)[] = [
    permission?.teamPlan === true && 'plan_required',
    permission !== undefined && permission.least !== 'member' && 'forbidden',
    ...(route.answer?.errors ?? []),
    !route.isPublic && 'unauthenticated',
    readsInput && 'validation_failed',
    route.takesBody && 'too_large',
    route.takesBody && 'unsupported_media_type',
    method === 'post' && 'idempotency_in_progress',
    method === 'post' && 'idempotency_key_reused',
    route.isLimited && 'rate_limited',
    'internal_error',
    'unavailable',
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

const REFUSALS: readonly unknown[] = [401, 403, 404, 410];

/** Reports whether the service refused a request with `error`: repeating it by a timer would get the same response. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'status' in error && REFUSALS.includes(error.status);
}

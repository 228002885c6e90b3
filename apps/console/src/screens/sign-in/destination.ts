/** The address within the console to open after the sign-in; home for other values. */
export function destination(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in') ? next : '/';
}

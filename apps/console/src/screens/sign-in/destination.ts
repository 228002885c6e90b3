/** The address below the console to go to after the sign-in; home for any other. */
export function destination(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in') ? next : '/';
}

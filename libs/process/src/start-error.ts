/** Why the service can't start, in one line that says what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

import { DomainError } from '#kernel';

/** The code of a failed system call, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

/** What the port calls a disk that does not do what it should: full, read-only, broken, gone. */
export function diskFailure(error: unknown): unknown {
  const isSystemError = typeof (error as NodeJS.ErrnoException | null)?.syscall === 'string';
  if (!isSystemError) return error;
  return new DomainError('unavailable', 'the object storage does not work now; try again', { cause: error });
}

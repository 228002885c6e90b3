import { DomainError } from '#kernel';

/** The code of a failed system call, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** What the port calls a disk that does not do what it should: full, read-only, broken, gone. */
export function diskFailure(error: unknown): unknown {
  if (error instanceof DomainError || !isSystemError(error)) return error;
  return new DomainError('unavailable', 'the object storage does not work now; try again', { cause: error });
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && 'syscall' in error;
}

import { DomainError } from '#kernel';

/** SQLSTATE codes of values that PostgreSQL can't store or parse. */
const BAD_INPUT = new Set([
  '22021', // character_not_in_repertoire: a NUL byte
  '22P05', // untranslatable_character
  '22P02', // invalid_text_representation
  '22003', // numeric_value_out_of_range
  '22007', // invalid_datetime_format
  '22008', // datetime_field_overflow
  '22001', // string_data_right_truncation
  '2201X', // invalid_row_count_in_result_offset_clause
  '22025', // invalid_escape_sequence
  '2201B', // invalid_regular_expression
  '42601', // syntax_error, as in a search expression
  '54000', // program_limit_exceeded
  '54001', // statement_too_complex: JSON nested too deep
]);

/**
 * SQLSTATE classes and Node's socket errors of a database that is unavailable. 57014 is a statement timeout; 26000 a
 * statement whose preparation, sent just before, failed.
 */
const UNAVAILABLE = /^(08|53|57P|57014|26000|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/;

/**
 * Codes of a transaction that was rolled back because of others at the same moment: serialization failure, deadlock.
 */
const CONFLICT = /^(40001|40P01)$/;
const LOCK_TIMEOUT = '55P03';

/** Turns a driver's error into a DomainError where there is a code for it. Returns any other error unchanged. */
export function translateDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  const code = codeOf(error);
  if (BAD_INPUT.has(code)) {
    return new DomainError('validation_failed', 'a value cannot be stored', { cause: error });
  }
  if (CONFLICT.test(code) || code === LOCK_TIMEOUT) {
    return new DomainError('unavailable', 'others are changing the same data: try again', { cause: error });
  }
  if (
    UNAVAILABLE.test(code) ||
    /Connection terminated|is not queryable|timeout expired|timeout exceeded when trying to connect/i.test(
      error.message,
    )
  ) {
    return new DomainError('unavailable', 'the database is not reachable; try again', { cause: error });
  }
  return error.cause instanceof Error ? unlessUnknown(error.cause, error) : error;
}

/** The ORM copies a DomainError of the driver into an error of its own, which has the same cause. */
function unlessUnknown(cause: Error, error: Error): unknown {
  const translated = translateDatabaseError(cause);
  return translated === cause ? error : translated;
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? '');
}

/**
 * Reports whether a transaction was rolled back because of others, and would succeed later.
 *
 * @param error also a translated one
 */
export function isConflict(error: unknown): boolean {
  return CONFLICT.test(codeOf((error as Error).cause)) || CONFLICT.test(codeOf(error));
}

/** Reports whether a statement waited for a lock longer than `lock_timeout`. It has had no effect. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf((error as Error).cause) === LOCK_TIMEOUT || codeOf(error) === LOCK_TIMEOUT;
}

/** Reports whether a row violates this unique index. */
export function violates(error: unknown, index: string): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === index;
}

/** Reports whether a row refers to a row that does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  return codeOf(error) === '23503';
}

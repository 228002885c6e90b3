import { DomainError, type ErrorCode } from '#kernel';

/** A cell that can't be accepted, and why. */
export interface WrongCell {
  readonly cell: number;
  readonly error: DomainError;
}

/** After this many wrong cells the others are not checked. */
export const MAX_WRONG_CELLS = 20;

/** Errors of one call; all others concern the whole batch. */
const OF_A_CELL: readonly ErrorCode[] = [
  'validation_failed',
  'not_found',
  'slot_empty',
  'file_expired',
  'model_retired',
  'provider_misconfigured',
];

export function isWrongCell(error: unknown): error is DomainError {
  return error instanceof DomainError && OF_A_CELL.includes(error.code);
}

/** The refusal of a batch. Fields are named by the number of their cell: `cells.7.seed`. */
export function refusalOf(wrong: readonly WrongCell[], total: number): DomainError {
  const [first] = wrong;
  const fields = Object.fromEntries(
    wrong.flatMap(({ cell, error }) => {
      const path = `cells.${cell}`;
      if (!error.fields) return [[path, [error.message]]];
      return Object.entries(error.fields).map(([name, problems]) => [`${path}.${name}`, problems]);
    }),
  );
  const number = wrong.length === MAX_WRONG_CELLS ? `at least ${wrong.length}` : `${wrong.length}`;
  const message = `${number} of ${total} cells are wrong, first cell ${first!.cell}: ${first!.error.message}`;
  return new DomainError('validation_failed', message, { fields });
}

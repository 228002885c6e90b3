import { SetMetadata } from '@nestjs/common';

export interface FailureLimit {
  /** Failed attempts a minute for each client address. */
  readonly perAddress: number;
  /** The form field that names what is tried, such as an e-mail address. */
  readonly field: string;
  /** Failed attempts a minute for each value of it, whoever tries. */
  readonly perValue: number;
}

export const FAILURE_LIMIT = Symbol('failure limit');

/** Slows down guessing: attempts that end in an error count, those that succeed don't. */
export function LimitFailures(limit: FailureLimit): MethodDecorator {
  return SetMetadata(FAILURE_LIMIT, limit);
}

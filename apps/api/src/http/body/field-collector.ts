import { invalidField } from '#kernel';
import type { FieldValues } from '../request.ts';

/** Far more than any request of this API has. */
export const MAX_FIELDS = 200;
const MAX_NAME_LENGTH = 200;
/** More than the parameters of any model need, less than exhausts a parser or the database. */
const MAX_DEPTH = 32;

/** Collects the fields of one body or query string and refuses names and values that no field can have. */
export class FieldCollector {
  readonly #record: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  #count = 0;

  get record(): FieldValues {
    return this.#record;
  }

  /** @throws DomainError `validation_failed` */
  add(name: string, value: unknown): void {
    if (name === '' || name.length > MAX_NAME_LENGTH || !isStorable(name)) {
      throw invalidField('body', `must have field names of 1 to ${MAX_NAME_LENGTH} characters`);
    }
    if (Object.hasOwn(this.#record, name)) throw invalidField(name, 'is given more than once');
    if (++this.#count > MAX_FIELDS) throw invalidField('body', `must have at most ${MAX_FIELDS} fields`);
    refuseUnstorable(name, value, 0);
    this.#record[name] = value;
  }
}

function refuseUnstorable(field: string, value: unknown, depth: number): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw invalidField(field, 'must not hold NUL characters or broken Unicode');
  } else if (typeof value === 'object' && value !== null) {
    if (depth === MAX_DEPTH) throw invalidField(field, `must not be nested deeper than ${MAX_DEPTH}`);
    for (const [key, entry] of Object.entries(value)) {
      refuseUnstorable(field, key, depth);
      refuseUnstorable(field, entry, depth + 1);
    }
  }
}

/** PostgreSQL stores neither NUL nor a surrogate without its other half. */
function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

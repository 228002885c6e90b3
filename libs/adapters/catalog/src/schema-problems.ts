import type { ErrorObject } from 'ajv';
import { PATTERN_MEANINGS } from './catalogue-schema.ts';

/** A problem of a document: its path of keys and indexes, and a message that follows the name of the field. */
export interface Problem {
  readonly path: readonly string[];
  readonly message: string;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

/**
 * Describes an error of a validator with `verbose`, without its value. `null` for an error that only repeats others.
 */
export function problemOf(error: ErrorObject): Problem | null {
  const path = error.instancePath.split('/').slice(1).map(unescaped);
  const { params, parentSchema = {} } = error as { params: Record<string, unknown>; parentSchema?: Bounds };
  const atField = (name: unknown, message: string): Problem => ({ path: [...path, String(name)], message });
  const here = (message: string): Problem => ({ path, message });
  // Reported as `propertyNames`, which has the name.
  if (error.propertyName !== undefined) return null;
  switch (error.keyword) {
    case 'if':
      return null;
    case 'required':
      return atField(params.missingProperty, 'is missing');
    case 'additionalProperties':
      return atField(params.additionalProperty, 'is not a known field');
    case 'propertyNames':
      return atField(params.propertyName, 'must have a name of letters, digits and _');
    case 'false schema':
      return here('must be left out: a local model has its own');
    case 'enum':
      return here(`must be one of ${(params.allowedValues as unknown[]).join(', ')}`);
    case 'type':
      return here(
        `must be ${[params.type]
          .flat()
          .map((type) => TYPE_NAMES[String(type)])
          .join(' or ')}`,
      );
    case 'minimum':
    case 'maximum':
      return here(`must be ${rangeOf(parentSchema)}`);
    case 'minLength':
    case 'minProperties':
      return here('must not be empty');
    case 'pattern':
      return here(PATTERN_MEANINGS[String(params.pattern)] ?? 'has the wrong form');
    default:
      return here(error.message ?? 'is wrong');
  }
}

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

function rangeOf({ minimum, maximum }: Bounds): string {
  if (maximum === undefined) return `at least ${minimum}`;
  return minimum === undefined ? `at most ${maximum}` : `from ${minimum} to ${maximum}`;
}

/** A part of a JSON pointer. */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

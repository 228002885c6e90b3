import type { Model, ParameterValues } from '#catalogue';

const DEFAULT_MAXIMUM = 2 ** 31 - 1;
/** Hexadecimal digits of a random UUID before its version: 48 random bits. */
const RANDOM_DIGITS = 12;
/** Fewest possible seeds at which two submissions do not have the same seed by chance. */
const LEAST_IDENTIFYING_SEEDS = 2 ** 24;

/**
 * The seed to send: the caller's, or one derived from the request key, so that each attempt at a submission has the same
 * seed and a search recognises it. `null` for a model without a numeric seed.
 *
 * @param requestKey a random UUID
 */
export function seedOf(model: Model, parameters: ParameterValues, requestKey: string): number | null {
  const seeds = seedsOf(model);
  if (!seeds) return null;
  const given = parameters['seed'];
  if (typeof given === 'number') return given;
  const { least, greatest } = seeds;
  const random = Number.parseInt(requestKey.replaceAll('-', '').slice(0, RANDOM_DIGITS), 16);
  return Math.min(least + (random % (greatest - least + 1)), greatest);
}

/**
 * Reports whether no other submission has this seed: the caller did not choose it, and the model allows enough seeds.
 */
export function isIdentifiedBySeed(model: Model, parameters: ParameterValues): boolean {
  const seeds = seedsOf(model);
  if (!seeds || typeof parameters['seed'] === 'number') return false;
  return seeds.greatest - seeds.least + 1 >= LEAST_IDENTIFYING_SEEDS;
}

function seedsOf(model: Model): { readonly least: number; readonly greatest: number } | null {
  const declared = model.parameters['seed'];
  if (declared?.type !== 'integer' && declared?.type !== 'number') return null;
  const greatest = declared.maximum ?? DEFAULT_MAXIMUM;
  // Negative seeds only for a model that accepts no others.
  const least = greatest < 0 ? (declared.minimum ?? greatest) : Math.max(declared.minimum ?? 0, 0);
  return { least, greatest };
}

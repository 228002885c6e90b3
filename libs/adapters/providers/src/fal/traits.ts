import { isDeepStrictEqual } from 'node:util';
import { placeholdersOf, vendorFields, type JsonValue, type RemoteTask } from '#generation';

/** The fields by which a request is recognised; `null` without a seed, because a prompt alone may be sent twice. */
export function traitsOf({ model, prompt, parameters }: RemoteTask): Readonly<Record<string, unknown>> | null {
  const reads = (value: JsonValue, name: string): boolean => placeholdersOf({ value }).includes(name);
  const entries = Object.entries(model.mapping);
  const hasSeed = (parameters['seed'] ?? null) !== null && entries.some(([, value]) => reads(value, 'seed'));
  if (!hasSeed) return null;
  const recognised = entries.filter(([, value]) => reads(value, 'seed') || reads(value, 'prompt'));
  return vendorFields(Object.fromEntries(recognised), { ...parameters, prompt });
}

/** Whether every expected field, at any depth, has the expected value. */
export function contains(actual: unknown, expected: unknown): boolean {
  if (!isObject(expected)) return isDeepStrictEqual(actual, expected);
  return isObject(actual) && Object.entries(expected).every(([name, value]) => contains(actual[name], value));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

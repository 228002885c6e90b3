import { InvalidArgumentError } from 'commander';

/** Reads a positive whole number from the command line. */
export function integerArgument(text: string): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('It must be a positive whole number.');
  }
  return value;
}

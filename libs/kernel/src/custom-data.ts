/** Texts of a caller's own, by name. */
export type Metadata = Readonly<Record<string, string>>;

/**
 * Data that callers attach to objects for their own use: kept as given, never interpreted. The customer is the label of
 * a user of the caller's application; it does not separate their data from that of others.
 */
export interface CustomData {
  readonly customer: string | null;
  readonly metadata: Metadata | null;
}

export const NO_CUSTOM_DATA: CustomData = { customer: null, metadata: null };
export const CUSTOM_DATA = ['customer', 'metadata'] as const;

/** Characters. */
export const MAX_CUSTOMER = 255;
export const MAX_METADATA = { keys: 50, key: 40, value: 500 };

/** Why a text is no label of a customer, worded to follow the name of the field. */
export function customerProblem(text: string): string | undefined {
  if (!hasLength(text, 1, MAX_CUSTOMER)) return `must have 1 to ${MAX_CUSTOMER} characters`;
  return /\p{Cc}/u.test(text) || !text.isWellFormed()
    ? 'must not hold control characters or broken Unicode'
    : undefined;
}

/** Why an object is no metadata, worded to follow the name of the field. */
export function metadataProblem(value: object): string | undefined {
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length > MAX_METADATA.keys) return `must have at most ${MAX_METADATA.keys} keys`;
  if (!entries.every(([key]) => hasLength(key, 1, MAX_METADATA.key))) {
    return `must have keys of 1 to ${MAX_METADATA.key} characters`;
  }
  const isShort = (text: unknown) => typeof text === 'string' && hasLength(text, 0, MAX_METADATA.value);
  if (!entries.every(([, text]) => isShort(text))) {
    return `must have texts of at most ${MAX_METADATA.value} characters as values`;
  }
  const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');
  return entries.flat().every((text) => isStorable(text as string))
    ? undefined
    : 'must not hold NUL characters or broken Unicode';
}

/** Unicode characters, of which each has up to two units; long text is refused without counting them. */
function hasLength(text: string, min: number, max: number): boolean {
  if (text.length > 2 * max) return false;
  const { length } = [...text];
  return length >= min && length <= max;
}

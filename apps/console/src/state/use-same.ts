import { useState } from 'react';

/** The list of an earlier render while its elements are the same, so that what depends on it is not computed again. */
export function useSame<T>(list: readonly T[]): readonly T[] {
  const [kept, keep] = useState(list);
  if (kept === list || isSame(kept, list)) return kept;
  keep(list);
  return list;
}

function isSame<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at]);
}

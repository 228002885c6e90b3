import { useMemo, useState } from 'react';
import { useSame } from '../../state/index.ts';
import { keptIn, NOTHING, type Selection } from './selection.ts';

/** The selection among the items that are shown, and their ids in order. */
export function useSelection(items: readonly { readonly id: number }[]) {
  const [chosen, select] = useState<Selection>(NOTHING);
  const order = useSame(useMemo(() => items.map(({ id }) => id), [items]));
  const selection = useMemo(() => keptIn(chosen, new Set(order)), [chosen, order]);
  return { selection, select, order };
}

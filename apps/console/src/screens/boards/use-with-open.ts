import { useState } from 'react';
import type { MediaDto } from '../../api/index.ts';

interface WithOpen {
  readonly media: readonly MediaDto[];
  /** True if the open item is no longer on the board. */
  readonly isGone: boolean;
}

/**
 * The shown items and the open one, which stays while it is open, with what is written about it: others may move it, decide
 * about it so that a filter hides it, or delete it.
 */
export function useWithOpen(shown: readonly MediaDto[], all: readonly MediaDto[], openId: number | null): WithOpen {
  const [last, setLast] = useState<{ readonly item: MediaDto; readonly index: number } | null>(null);
  const index = shown.findIndex(({ id }) => id === openId);
  const item = shown[index];
  if (item && (last?.item !== item || last.index !== index)) setLast({ item, index });
  return withOpen(shown, all, openId, last);
}

/** @param last the open item where it was shown last */
export function withOpen(
  shown: readonly MediaDto[],
  all: readonly MediaDto[],
  openId: number | null,
  last: { readonly item: MediaDto; readonly index: number } | null,
): WithOpen {
  if (openId === null || shown.some(({ id }) => id === openId)) return { media: shown, isGone: false };
  const present = all.find(({ id }) => id === openId);
  // A newer version has its own id.
  const isLast = last !== null && (last.item.id === openId || present?.versions.includes(last.item.id));
  if (!isLast) return { media: shown, isGone: false };
  const at = Math.min(last.index, shown.length);
  return { media: shown.toSpliced(at, 0, present ?? last.item), isGone: present === undefined };
}

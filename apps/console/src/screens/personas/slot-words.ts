import { words } from './words.ts';

const titles: Readonly<Record<number, string>> = words.slotTitle;

export function titleOf(slot: number): string {
  return titles[slot] ?? String(slot);
}

import { words } from '../../words.ts';

const titles: Readonly<Record<number, string>> = words.personas.slotTitle;

export function titleOf(slot: number): string {
  return titles[slot] ?? String(slot);
}

/** What to do about a picture that could not be used. */
export function adviceFor(error: string): string {
  const advice: Readonly<Record<string, string>> = words.ui.generation.advice;
  return advice[error] ?? words.personas.failedAdvice;
}

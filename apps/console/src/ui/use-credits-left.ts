import { useQuery } from '@tanstack/react-query';
import { creditsGetOptions } from '../api/index.ts';
import { number } from './formats.ts';
import { words } from './words.ts';

/** The credits left, as a sentence, and whether they are too few. @param cost undefined while it is not known */
export function useCreditsLeft(cost: number | undefined) {
  const { data } = useQuery(creditsGetOptions());
  if (!data) return { left: '', isShort: false };
  const { available } = data.credits;
  const isShort = cost !== undefined && cost > available;
  return { left: words.creditsLeft(number(available), isShort), isShort };
}

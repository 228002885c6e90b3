import type { ModelDto } from '../api/index.ts';
import { words } from './words.ts';

/** The cost of a model before its parameters are chosen: `4 credits each`, `from 6 credits a second`. */
export function costText({ cost, cost_per, parameters }: Pick<ModelDto, 'cost' | 'cost_per' | 'parameters'>): string {
  const amounts = typeof cost === 'number' ? [cost] : Object.values(cost);
  const least = Math.min(...amounts);
  const declared = (parameters.properties ?? {}) as object;
  const isMultiplied = (cost_per === 'output' ? 'count' : 'duration') in declared;
  const text = words.cost;
  const per = isMultiplied ? text.per[cost_per] : '';
  return `${amounts.some((amount) => amount !== least) ? text.from : ''}${text.credits(least)}${per}`;
}

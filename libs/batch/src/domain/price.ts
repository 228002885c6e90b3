/** The price of a batch in credits. @param costs of its cells */
export function priceOf(costs: readonly number[]): number {
  return costs.reduce((sum, cost) => sum + cost, 0);
}

/** How many cells `credits` pay for, in the order of the cells. */
export function coveredBy(costs: readonly number[], credits: number): number {
  let left = credits;
  const first = costs.findIndex((cost) => (left -= cost) < 0);
  return first < 0 ? costs.length : first;
}

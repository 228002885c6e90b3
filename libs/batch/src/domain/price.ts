/**
 * The price of a batch in credits, reserved for its cells when they are accepted. A pause holds the reservations; a cell
 * that fails or is canceled gives its own back, as any generation.
 *
 * @param costs of its cells
 */
export function priceOf(costs: readonly number[]): number {
  return costs.reduce((sum, cost) => sum + cost, 0);
}

/** The price of a batch whose failed cells are accepted again: theirs at today's costs, the others as they were. */
export function priceAfterRetry(price: number, failed: readonly number[], retried: readonly number[]): number {
  return price - priceOf(failed) + priceOf(retried);
}

/** How many cells `credits` pay for, in the order of the cells. */
export function coveredBy(costs: readonly number[], credits: number): number {
  let left = credits;
  const first = costs.findIndex((cost) => (left -= cost) < 0);
  return first < 0 ? costs.length : first;
}

/** How often a race is run: 20 times, or `ROUNDS` times for a long search. */
export function rounds(): number {
  return Number(process.env.ROUNDS ?? 20);
}

/** The rows with a text that contains `q`, ignoring case. */
export function matching<T>(rows: readonly T[], q: string, textsOf: (row: T) => readonly string[]): readonly T[] {
  const wanted = q.trim().toLowerCase();
  return rows.filter((row) => textsOf(row).some((text) => text.toLowerCase().includes(wanted)));
}

const ORDER = ['succeeded', 'failed', 'running', 'queued'];

interface Share {
  readonly state: string;
  readonly count: number;
  /** 0 to 1 */
  readonly share: number;
}

/** The share of each state, ended states first. */
export function sharesOf(counts: Readonly<Record<string, number>>): readonly Share[] {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const place = (state: string) => (ORDER.includes(state) ? ORDER.indexOf(state) : ORDER.length);
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => place(a) - place(b))
    .map(([state, count]) => ({ state, count, share: count / all }));
}

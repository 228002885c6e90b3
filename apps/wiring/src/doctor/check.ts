/** Checks one dependency. Returns a short finding, or throws `Ill`. */
export type Check = readonly [name: string, run: () => Promise<string>];

/** A problem, and how to solve it. */
export class Ill extends Error {
  override readonly name = 'Ill';

  constructor(
    finding: string,
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(finding, options);
  }
}

/** @throws Ill unless `isWell` */
export function demand(isWell: boolean, finding: string, advice: string): void {
  if (!isWell) throw new Ill(finding, advice);
}

export interface Finding {
  readonly check: string;
  readonly state: 'well' | 'ill';
  readonly finding: string;
  readonly advice: string | null;
}

/** Runs the checks in order; any error counts as `ill`. */
export async function findings(checks: readonly Check[]): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [name, run] of checks) {
    try {
      found.push({ check: name, state: 'well', finding: await run(), advice: null });
    } catch (error) {
      const finding = error instanceof Error ? error.message : String(error);
      const advice = error instanceof Ill ? error.advice : 'see the log of the service';
      found.push({ check: name, state: 'ill', finding, advice });
    }
  }
  return found;
}

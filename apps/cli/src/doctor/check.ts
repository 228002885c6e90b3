/** Something that has to be well. */
export interface Check {
  readonly name: string;
  /** @returns what was found, in a few words @throws `Ill` */
  run(): Promise<string>;
}

/** What is wrong, and what to do about it. */
export class Ill extends Error {
  override readonly name = 'Ill';
  readonly advice: string;

  constructor(finding: string, advice: string, options?: ErrorOptions) {
    super(finding, options);
    this.advice = advice;
  }
}

export interface Finding {
  readonly check: string;
  readonly state: 'well' | 'ill';
  readonly finding: string;
  readonly advice: string | null;
}

/** Runs the checks one after the other; one that fails in a way of its own is ill too. */
export async function findings(checks: readonly Check[]): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { name, run } of checks) {
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

/** A rule that must hold of the whole service whatever happened, and does not. */
export interface AuditFinding {
  /** The rule, as a sentence. */
  readonly rule: string;
  /** How many exceptions there are. */
  readonly found: number;
  /** Some of them, with what identifies them. */
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

/** Looks for what no request, job, crash or race may ever leave behind. */
export interface Audit {
  /**
   * The broken rules; empty when all is well. Each rule is checked as of one moment, so that a service at work has no
   * findings either. It changes nothing, waits for nobody, and loads a few examples a rule, however much is stored.
   *
   * @param examples how many of each rule at most
   * @throws DomainError `unavailable`
   */
  findings(examples?: number): Promise<readonly AuditFinding[]>;
}

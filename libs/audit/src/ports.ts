/** A rule that must always hold, and does not. */
export interface AuditFinding {
  /** The rule, as a sentence. */
  readonly rule: string;
  /** How many exceptions there are. */
  readonly found: number;
  /** Some of them, with their identifiers. */
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

/** Checks the invariants of the database. */
export interface Audit {
  /**
   * The violated rules; empty when all hold. Each rule is checked at one moment, so a running service has no
   * findings either. It changes nothing, waits for no lock, and loads a few examples per rule, however much is stored.
   *
   * @param examples how many of each rule at most
   * @throws DomainError `unavailable`
   */
  findings(examples?: number): Promise<readonly AuditFinding[]>;
}

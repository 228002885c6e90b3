/** A violated invariant. */
export interface AuditFinding {
  /** The fault, as an operator can act on it. */
  readonly rule: string;
  /** The number of violations. */
  readonly found: number;
  /** Some violations, with their ids. */
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

/** Checks the invariants of the database. */
export interface Audit {
  /**
   * Returns the violated rules. Each rule is checked in one snapshot, so that a running service causes no findings.
   * Changes nothing and waits for no lock.
   *
   * @param examples maximum number of examples for each rule
   * @throws DomainError `unavailable`
   */
  findings(examples?: number): Promise<readonly AuditFinding[]>;
}

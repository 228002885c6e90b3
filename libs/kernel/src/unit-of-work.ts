/** All or nothing: what `work` saves and the jobs it announces are committed together, or none of it is. */
export interface UnitOfWork {
  /**
   * Runs `work` in a transaction and commits when it resolves; when it throws, everything is rolled back and
   * the error is thrown on. Called within another `run`, `work` joins that transaction.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

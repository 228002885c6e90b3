export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export interface UnitOfWork {
  /**
   * Runs `work` in a transaction that includes the jobs it announces. Commits when `work` resolves; when it throws,
   * rolls back and throws the error. Called within another `run`, `work` joins that transaction.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

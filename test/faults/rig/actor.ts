/** A client that does its part again and again, and remembers what it was promised. */
export interface FaultActor {
  readonly name: string;
  /** Between two pieces of work. */
  readonly meanPauseMs: number;
  /** One piece of work, from the first call to the answer that it relies on. */
  work(): Promise<void>;
  /** Everything that is not as promised, once all jobs have ended. */
  brokenPromises(): Promise<string[]>;
  /** What was promised, for the report. */
  summary(): string;
}

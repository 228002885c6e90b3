import type { GenerationState } from '../domain/generation.ts';

export interface GenerationChange {
  readonly state: GenerationState;
  /** 0..1 */
  readonly progress: number;
}

/** Changes of generations as they are committed, whichever process commits them. */
export interface GenerationSignals {
  /**
   * Tells `listener` of every change of state or progress from when the promise resolves until the returned
   * function is called, in the order of commits. `missed` means that some may have been lost (the connection
   * was), so that what is known has to be read again.
   *
   * @throws DomainError `unavailable` when changes can't be followed now
   */
  watch(generationId: number, listener: (change: GenerationChange | 'missed') => void): Promise<() => void>;
}

import type { InputSet } from '../domain/input-set.ts';
import type { NewTrial, QueuedTrial, Trial, TrialState } from '../domain/trial.ts';

/** Trials of models. Outside a unit of work, each method is committed at once. */
export interface TrialStore {
  /** Adds a trial; `null`, without effect, when the model has an open one. */
  add(trial: NewTrial): Promise<QueuedTrial | null>;

  /** The open trial of a model. */
  openOf(model: string): Promise<Trial | null>;

  find(id: number): Promise<Trial | null>;

  /** Empty for a trial that does not exist. */
  inputsOf(id: number): Promise<InputSet<string>>;

  /** Saves a trial that is in the state `from`. False, without effect, when it is not. */
  save(trial: Trial, from: TrialState): Promise<boolean>;

  /** Has the object `key` deleted at `at`. Called before the object is stored. */
  discard(key: string, at: Date): Promise<void>;
}

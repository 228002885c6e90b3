import { DomainError, type JobPayloads } from '#kernel';
import { SourceFailure } from '#sources';
import { failed } from '../domain/training.ts';
import type { Trainings } from '../ports/trainings.ts';

/** Ends a training whose picture will not be tried again. */
export class FailTraining {
  readonly #trainings: Trainings;

  constructor(trainings: Trainings) {
    this.#trainings = trainings;
  }

  /** Without effect for a training that is gone, has another picture by now, or has ended already. */
  async run({ trainingId, pictureVersion }: JobPayloads['training.process'], reason: unknown): Promise<void> {
    const training = await this.#trainings.findUnsettled(trainingId, pictureVersion);
    if (training) await this.#trainings.settle(failed(training, codeOf(reason)));
  }
}

function codeOf(reason: unknown): string {
  return reason instanceof SourceFailure || reason instanceof DomainError ? reason.code : 'internal_error';
}

import { notFound } from '#kernel';
import type { Trainings } from '../ports/trainings.ts';
import { trainingView, type PublicUrls, type TrainingView } from './training-view.ts';

export class ReadTraining {
  readonly #trainings: Trainings;
  readonly #urls: PublicUrls;

  constructor(trainings: Trainings, urls: PublicUrls) {
    this.#trainings = trainings;
    this.#urls = urls;
  }

  /** @throws DomainError `not_found` */
  async run(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingView> {
    const training = await this.#trainings.read(workspaceId, personaId, trainingId);
    if (!training) throw notFound('training');
    return trainingView(training, training.fileKey, this.#urls);
  }
}

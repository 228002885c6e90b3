import { notFound, type Page, type PageRequest } from '#kernel';
import type { TrainingKind } from '../domain/training.ts';
import type { Trainings } from '../ports/trainings.ts';
import { trainingView, type PublicUrls, type TrainingView } from './training-view.ts';

export class ListTrainings {
  readonly #trainings: Trainings;
  readonly #urls: PublicUrls;

  constructor(trainings: Trainings, urls: PublicUrls) {
    this.#trainings = trainings;
    this.#urls = urls;
  }

  /**
   * The trainings of a persona, newest first.
   *
   * @param kind `null` for likes and slots alike
   * @throws DomainError `not_found`
   */
  async run(
    workspaceId: number,
    personaId: number,
    kind: TrainingKind | null,
    page: PageRequest,
  ): Promise<Page<TrainingView>> {
    const found = await this.#trainings.list(workspaceId, personaId, kind, page);
    if (!found) throw notFound('persona');
    return {
      items: found.items.map((training) => trainingView(training, training.fileKey, this.#urls)),
      next: found.next,
    };
  }
}

import { scheduleFileDeletion } from '#files';
import { notFound, type Jobs, type UnitOfWork } from '#kernel';
import type { Personas } from '../ports/personas.ts';
import type { TrainingPlace, Trainings } from '../ports/trainings.ts';

/** Removes a like, or empties a slot. */
export class RemoveTraining {
  readonly #personas: Personas;
  readonly #trainings: Trainings;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;

  constructor(personas: Personas, trainings: Trainings, jobs: Jobs, unitOfWork: UnitOfWork) {
    this.#personas = personas;
    this.#trainings = trainings;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
  }

  /** @throws DomainError `not_found`, also for a slot that is empty already */
  async run(workspaceId: number, personaId: number, place: TrainingPlace): Promise<void> {
    await this.#unitOfWork.run(async () => {
      if ('slot' in place && !(await this.#personas.holdSlots(workspaceId, personaId))) {
        throw notFound('persona');
      }
      const removed = await this.#trainings.remove(workspaceId, personaId, place);
      if (!removed) throw notFound('training');
      await scheduleFileDeletion(this.#jobs, [removed.fileId]);
    });
  }
}

import { scheduleFileDeletion } from '#files';
import type { JobPayloads, JobRun, Jobs, UnitOfWork } from '#kernel';
import type { ImportPicture } from '#sources';
import { processed } from '../domain/training.ts';
import type { Trainings } from '../ports/trainings.ts';

/** Copies a training's picture into the object storage. */
export class ProcessTraining {
  readonly #trainings: Trainings;
  readonly #importPicture: Pick<ImportPicture, 'run'>;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;

  constructor(
    trainings: Trainings,
    importPicture: Pick<ImportPicture, 'run'>,
    jobs: Jobs,
    unitOfWork: UnitOfWork,
  ) {
    this.#trainings = trainings;
    this.#importPicture = importPicture;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
  }

  /**
   * Without effect for a training that is gone, has another picture by now, or has ended already.
   *
   * @throws SourceFailure when the picture can't be had; `FailTraining` records it when it is given up
   */
  async run({ trainingId, pictureVersion }: JobPayloads['training.process'], run: JobRun): Promise<void> {
    const training = await this.#trainings.findUnsettled(trainingId, pictureVersion);
    if (!training) return;
    const { workspaceId, personaId, sourceUrl: url } = training;
    const file = await this.#importPicture.run({ workspaceId, personaId, url, signal: run.signal });
    await this.#unitOfWork.run(async () => {
      const settled = await this.#trainings.settle(processed(training, file.id));
      if (!settled) await scheduleFileDeletion(this.#jobs, [file.id]);
    });
  }
}

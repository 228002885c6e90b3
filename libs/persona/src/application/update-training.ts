import { notFound, type Jobs, type UnitOfWork } from '#kernel';
import { scheduleFileDeletion, type AdoptFile, type Files, type StoredFile } from '#files';
import { slotOf } from '../domain/slot.ts';
import { assertPicture, checkedNotes, withPicture, type Training } from '../domain/training.ts';
import type { Trainings } from '../ports/trainings.ts';
import { announceProcessing } from './training-jobs.ts';
import { trainingView, type PublicUrls, type TrainingView } from './training-view.ts';

export interface TrainingChanges {
  readonly workspaceId: number;
  readonly personaId: number;
  readonly trainingId: number;
  /** An http or https URL. Absent, the picture stays. */
  readonly image?: string;
  /** A slot to move to, replacing what is in it; `null` makes it a like. Absent, it stays where it is. */
  readonly slot?: number | null;
  readonly extras?: string | null;
  readonly info?: string | null;
}

/** Changes a training: its place, its notes, or its picture, which is then processed anew. */
export class UpdateTraining {
  readonly #trainings: Trainings;
  readonly #files: Pick<Files, 'find'>;
  readonly #adoptFile: Pick<AdoptFile, 'run'>;
  readonly #urls: PublicUrls;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;

  constructor(
    trainings: Trainings,
    files: Pick<Files, 'find'>,
    adoptFile: Pick<AdoptFile, 'run'>,
    urls: PublicUrls,
    jobs: Jobs,
    unitOfWork: UnitOfWork,
  ) {
    this.#trainings = trainings;
    this.#files = files;
    this.#adoptFile = adoptFile;
    this.#urls = urls;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
  }

  /** @throws DomainError `not_found`, `validation_failed`, and what `AdoptFile` refuses */
  async run(changes: TrainingChanges): Promise<TrainingView> {
    const { workspaceId, personaId, trainingId } = changes;
    return this.#unitOfWork.run(async () => {
      const before = await this.#trainings.hold(workspaceId, personaId, trainingId);
      if (!before) throw notFound('training');
      const { image, slot = before.slot, extras = before.extras, info = before.info } = changes;
      const place = { slot: slot === null ? null : slotOf(slot) };
      const annotated: Training = { ...before, ...place, ...checkedNotes({ extras, info }) };

      const file = await this.#fileOf(annotated, image);
      if (file && slot !== null) assertPicture(file.contentType, image === undefined ? 'slot' : 'image');

      const after =
        image === undefined ? annotated : withPicture(annotated, { url: image, fileId: file?.id ?? null });
      const replaced = await this.#trainings.save(after);
      if (image !== undefined) {
        await announceProcessing(this.#jobs, after);
        await scheduleFileDeletion(this.#jobs, [before.fileId]);
      }
      await scheduleFileDeletion(this.#jobs, [replaced?.fileId ?? null]);
      return trainingView(after, file?.key ?? null, this.#urls);
    });
  }

  /** The file of the training's next picture, where it is one of the workspace. */
  async #fileOf(training: Training, image: string | undefined): Promise<StoredFile | null> {
    if (image !== undefined) {
      return this.#adoptFile.run({ workspaceId: training.workspaceId, url: image });
    }
    return training.fileId === null ? null : this.#files.find(training.fileId);
  }
}

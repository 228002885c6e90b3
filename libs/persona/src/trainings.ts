import { scheduleFileDeletion, type Files, type StoredFile } from '#files';
import { DomainError, notFound, type Clock, type JobPayloads, type JobRun, type Jobs, type UnitOfWork } from '#kernel';
import { SourceFailure, type Sources } from '#sources';
import { slotOf } from './domain/slot.ts';
import {
  assertPicture,
  checkedNotes,
  failed,
  newTraining,
  processed,
  withPicture,
  type FailedTraining,
  type GivenPicture,
  type NewTraining,
  type ProcessedTraining,
  type Training,
} from './domain/training.ts';
import type { PersonaStore, TrainingPlace, TrainingRecord, TrainingStore } from './ports.ts';

export interface TrainingToSave extends Pick<Training, 'workspaceId' | 'personaId' | 'extras' | 'info'> {
  /** `null` for a like. */
  readonly slot: number | null;
  /** An http or https URL. */
  readonly picture: string;
  /** The field of the request with the picture's URL, for errors. */
  readonly pictureField: 'photo' | 'image';
}

export interface SavedTraining {
  readonly training: NewTraining & Pick<TrainingRecord, 'id' | 'file'>;
  /** True if another training was in the slot. */
  readonly replaced: boolean;
}

/** A field that is absent keeps its value. */
export interface TrainingChanges extends Partial<Pick<Training, 'extras' | 'info'>> {
  readonly workspaceId: number;
  readonly personaId: number;
  readonly trainingId: number;
  /** An http or https URL. */
  readonly image?: string;
  /** `null` makes the training a like. */
  readonly slot?: number | null;
}

export class Trainings {
  constructor(
    private readonly personas: PersonaStore,
    private readonly trainings: TrainingStore,
    private readonly files: Pick<Files, 'resolve'>,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Puts a picture into a slot, where it replaces the training that was there, or adds it as a like. The replaced training
   * is deleted; its file is deleted too unless something else refers to it.
   *
   * @throws DomainError `not_found`, `validation_failed`, `file_expired`
   */
  save(request: TrainingToSave): Promise<SavedTraining> {
    const { workspaceId, personaId, picture, extras, info } = request;
    return this.unitOfWork.run(async () => {
      await this.#touch(workspaceId, personaId);
      const slot = request.slot === null ? null : slotOf(request.slot);
      const notes = checkedNotes({ extras, info });

      const { file, given } = await this.#pictureAt(workspaceId, picture);
      if (file && slot !== null) assertPicture(file.contentType, request.pictureField);

      const training = newTraining({ workspaceId, personaId, slot }, given, notes, this.clock.now());
      const { id, replaced } = await this.trainings.add(training);
      await this.#announceProcessing({ ...training, id });
      await scheduleFileDeletion(this.jobs, workspaceId, [replaced?.fileId ?? null]);
      return { training: { ...training, id, file }, replaced: replaced !== null };
    });
  }

  /**
   * Changes the slot, the notes or the picture of a training. A new picture is processed again.
   *
   * @throws DomainError `not_found`, `validation_failed`, `file_expired`
   */
  update({ workspaceId, personaId, trainingId, ...changes }: TrainingChanges): Promise<TrainingRecord> {
    return this.unitOfWork.run(async () => {
      const record = await this.trainings.lock(workspaceId, personaId, trainingId);
      if (!record) throw notFound('training');
      const { file: fileBefore, ...before } = record;
      const { image, slot = before.slot, extras = before.extras, info = before.info } = changes;
      const place = { slot: slot === null ? null : slotOf(slot) };
      const annotated: Training = { ...before, ...place, ...checkedNotes({ extras, info }) };
      const picture = image === undefined ? null : await this.#pictureAt(workspaceId, image);
      const file = picture ? picture.file : fileBefore;
      if (file && slot !== null) assertPicture(file.contentType, picture ? 'image' : 'slot');

      const after = picture ? withPicture(annotated, picture.given) : annotated;
      await this.#touch(workspaceId, personaId);
      const replaced = await this.trainings.save(after);
      if (picture) {
        await this.#announceProcessing(after);
        await scheduleFileDeletion(this.jobs, workspaceId, [before.fileId]);
      }
      await scheduleFileDeletion(this.jobs, workspaceId, [replaced?.fileId ?? null]);
      return { ...after, file };
    });
  }

  /**
   * Removes a like, or empties a slot.
   *
   * @throws DomainError `not_found`, also for a slot that is empty
   */
  async remove(workspaceId: number, personaId: number, place: TrainingPlace): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.#touch(workspaceId, personaId);
      const removed = await this.trainings.remove(workspaceId, personaId, place);
      if (!removed) throw notFound('training');
      await scheduleFileDeletion(this.jobs, workspaceId, [removed.fileId]);
    });
  }

  async #touch(workspaceId: number, personaId: number): Promise<void> {
    if (!(await this.personas.touch(workspaceId, personaId, this.clock.now()))) throw notFound('persona');
  }

  /** The picture at a URL, and its file if the URL belongs to a stored file. */
  async #pictureAt(workspaceId: number, url: string): Promise<{ given: GivenPicture; file: StoredFile | null }> {
    const file = await this.files.resolve({ workspaceId, url });
    return { given: { url, fileId: file?.id ?? null }, file };
  }

  /** Announces the job that copies the picture, unless it is a stored file. */
  async #announceProcessing(
    training: Pick<Training, 'id' | 'workspaceId' | 'state' | 'pictureVersion'>,
  ): Promise<void> {
    if (training.state !== 'created') return;
    const { id: trainingId, workspaceId, pictureVersion } = training;
    await this.jobs.announce({ name: 'training.process', payload: { trainingId, pictureVersion }, workspaceId });
  }
}

/**
 * Copies the pictures of trainings into the object storage. Without effect on a training that was removed, has another
 * picture or has ended.
 */
export class TrainingProcessing {
  constructor(
    private readonly personas: Pick<PersonaStore, 'touch'>,
    private readonly trainings: TrainingStore,
    private readonly sources: Pick<Sources, 'importPicture'>,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws SourceFailure when the picture can't be copied; `fail` records it */
  async run({ trainingId, pictureVersion }: JobPayloads['training.process'], run: JobRun): Promise<void> {
    const training = await this.trainings.findCreated(trainingId, pictureVersion);
    if (!training) return;
    const { workspaceId, personaId, sourceUrl: url } = training;
    const file = await this.sources.importPicture({ workspaceId, personaId, url, signal: run.signal });
    await this.unitOfWork.run(async () => {
      const ended = await this.#end(processed(training, file.id));
      if (!ended) await scheduleFileDeletion(this.jobs, workspaceId, [file.id]);
    });
  }

  /** Fails a training whose job has failed. */
  async fail({ trainingId, pictureVersion }: JobPayloads['training.process'], reason: unknown): Promise<void> {
    const training = await this.trainings.findCreated(trainingId, pictureVersion);
    if (!training) return;
    const known = reason instanceof SourceFailure || reason instanceof DomainError;
    await this.unitOfWork.run(() => this.#end(failed(training, known ? reason.code : 'internal_error')));
  }

  async #end(training: ProcessedTraining | FailedTraining): Promise<boolean> {
    const { workspaceId, personaId } = training;
    return (await this.personas.touch(workspaceId, personaId, this.clock.now())) && this.trainings.end(training);
  }
}

import { notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { scheduleFileDeletion, type AdoptFile } from '#files';
import { slotOf, type Slot } from '../domain/slot.ts';
import { assertPicture, checkedNotes, newTraining, type TrainingState } from '../domain/training.ts';
import type { Personas } from '../ports/personas.ts';
import type { Trainings } from '../ports/trainings.ts';
import { announceProcessing } from './training-jobs.ts';
import { shownUrl, type PublicUrls } from './training-view.ts';

export interface TrainingToSave {
  readonly workspaceId: number;
  readonly personaId: number;
  /** `null` for a like. */
  readonly slot: number | null;
  /** An http or https URL. */
  readonly picture: string;
  /** The request's field that holds the picture's URL, for refusals. */
  readonly pictureField: 'photo' | 'image';
  readonly extras: string | null;
  readonly info: string | null;
}

export interface SavedTraining {
  readonly trainingId: number;
  readonly personaId: number;
  readonly slot: Slot | null;
  readonly photo: string;
  readonly state: TrainingState;
  /** Whether another training was in the slot. */
  readonly replaced: boolean;
}

/** Puts a picture into a slot of a persona, or saves it as a like. */
export class SaveTraining {
  readonly #personas: Personas;
  readonly #trainings: Trainings;
  readonly #adoptFile: Pick<AdoptFile, 'run'>;
  readonly #urls: PublicUrls;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(
    personas: Personas,
    trainings: Trainings,
    adoptFile: Pick<AdoptFile, 'run'>,
    urls: PublicUrls,
    jobs: Jobs,
    unitOfWork: UnitOfWork,
    clock: Clock,
  ) {
    this.#personas = personas;
    this.#trainings = trainings;
    this.#adoptFile = adoptFile;
    this.#urls = urls;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /** @throws DomainError `not_found`, `validation_failed`, and what `AdoptFile` refuses */
  async run(request: TrainingToSave): Promise<SavedTraining> {
    const { workspaceId, personaId, picture, extras, info } = request;
    return this.#unitOfWork.run(async () => {
      const held = await (request.slot === null
        ? this.#personas.hold(workspaceId, personaId)
        : this.#personas.holdSlots(workspaceId, personaId));
      if (!held) throw notFound('persona');
      const slot = request.slot === null ? null : slotOf(request.slot);
      const notes = checkedNotes({ extras, info });

      const file = await this.#adoptFile.run({ workspaceId, url: picture });
      if (file && slot !== null) assertPicture(file.contentType, request.pictureField);

      const training = newTraining(
        { workspaceId, personaId, slot },
        { url: picture, fileId: file?.id ?? null },
        notes,
        this.#clock.now(),
      );
      const { id, replaced } = await this.#trainings.add(training);
      await announceProcessing(this.#jobs, { ...training, id });
      await scheduleFileDeletion(this.#jobs, [replaced?.fileId ?? null]);

      return {
        trainingId: id,
        personaId,
        slot,
        photo: shownUrl(picture, file?.key ?? null, this.#urls),
        state: training.state,
        replaced: replaced !== null,
      };
    });
  }
}

import { pageOf, type Page, type PageRequest } from '#kernel';
import type {
  CreatedTraining,
  FailedTraining,
  FilledSlot,
  NewPersona,
  NewTraining,
  Persona,
  PersonaDetails,
  PersonaProfile,
  Personas,
  PersonaSummary,
  ProcessedTraining,
  RemovedTraining,
  Training,
  TrainingKind,
  TrainingPlace,
  TrainingRecord,
  Trainings,
} from '../index.ts';

interface File {
  readonly id: number;
  readonly key: string;
  readonly personaId: number | null;
}

/** The ports of personas on maps that they share. */
export class InMemoryPersonaStore {
  readonly #personas = new Map<number, Persona>();
  readonly #trainings = new Map<number, Training>();
  readonly #files = new Map<number, File>();
  #lastId = 0;

  readonly personas: Personas = {
    add: async (persona) => this.#addPersona(persona),
    find: async (workspaceId, personaId) => this.#findPersona(workspaceId, personaId),
    hold: async (workspaceId, personaId) => this.#findPersona(workspaceId, personaId) !== null,
    holdSlots: async (workspaceId, personaId) => this.#findPersona(workspaceId, personaId) !== null,
    update: async (...change) => this.#updatePersona(...change),
    remove: async (workspaceId, personaId) => this.#removePersona(workspaceId, personaId),
    read: async (workspaceId, personaId) => this.#readPersona(workspaceId, personaId),
    list: async (workspaceId, page) => this.#listPersonas(workspaceId, page),
  };

  readonly trainings: Trainings = {
    add: async (training) => this.#addTraining(training),
    hold: async (...place) => this.#findTraining(...place),
    save: async (training) => this.#saveTraining(training),
    settle: async (training) => this.#settle(training),
    findUnsettled: async (trainingId, pictureVersion) => this.#findUnsettled(trainingId, pictureVersion),
    remove: async (workspaceId, personaId, place) => this.#removeTraining(workspaceId, personaId, place),
    read: async (...place) => {
      const training = this.#findTraining(...place);
      return training && this.#recordOf(training);
    },
    exists: async (workspaceId, trainingId) => this.#trainings.get(trainingId)?.workspaceId === workspaceId,
    list: async (...question) => this.#listTrainings(...question),
  };

  /** Makes known a file that trainings can refer to. */
  addFile(personaId: number | null): File {
    const id = ++this.#lastId;
    const file = { id, key: `files/${id}/picture.png`, personaId };
    this.#files.set(id, file);
    return file;
  }

  #addPersona(persona: NewPersona): Persona {
    const added = { ...persona, id: ++this.#lastId, updatedAt: persona.createdAt };
    this.#personas.set(added.id, added);
    return added;
  }

  #findPersona(workspaceId: number, personaId: number): Persona | null {
    const persona = this.#personas.get(personaId);
    return persona?.workspaceId === workspaceId ? persona : null;
  }

  #updatePersona(
    workspaceId: number,
    personaId: number,
    changes: Partial<PersonaProfile>,
    updatedAt: Date,
  ): PersonaDetails | null {
    const persona = this.#findPersona(workspaceId, personaId);
    if (!persona) return null;
    this.#personas.set(personaId, { ...persona, ...changes, updatedAt });
    return this.#readPersona(workspaceId, personaId);
  }

  #removePersona(workspaceId: number, personaId: number): readonly number[] | null {
    if (!this.#findPersona(workspaceId, personaId)) return null;
    const removed = this.#trainingsOf(personaId);
    for (const { id } of removed) this.#trainings.delete(id);
    this.#personas.delete(personaId);
    const files = removed.flatMap(({ fileId }) => (fileId === null ? [] : [this.#files.get(fileId)!]));
    return [...new Set(files.filter((file) => file.personaId !== personaId).map(({ id }) => id))];
  }

  #readPersona(workspaceId: number, personaId: number): PersonaDetails | null {
    const persona = this.#findPersona(workspaceId, personaId);
    if (!persona) return null;
    const filledSlots = this.#trainingsOf(personaId)
      .flatMap(({ id: trainingId, slot, sourceUrl, fileId, state, error }): FilledSlot[] =>
        slot === null ? [] : [{ slot, trainingId, sourceUrl, fileKey: this.#keyOf(fileId), state, error }],
      )
      .sort((one, other) => one.slot - other.slot);
    return { ...this.#summaryOf(persona), filledSlots };
  }

  #listPersonas(workspaceId: number, { limit, after }: PageRequest): Page<PersonaSummary> {
    const found = [...this.#personas.values()]
      .filter((persona) => persona.workspaceId === workspaceId && persona.id < (after ?? Infinity))
      .map((persona) => this.#summaryOf(persona))
      .reverse();
    return pageOf(found, limit, (persona) => persona.id);
  }

  #summaryOf(persona: Persona): PersonaSummary {
    const trainings = this.#trainingsOf(persona.id);
    const likesCount = trainings.filter(({ slot }) => slot === null).length;
    const trainingsCount = trainings.length;
    return { ...persona, slotsFilled: trainingsCount - likesCount, likesCount, trainingsCount };
  }

  #trainingsOf(personaId: number): Training[] {
    return [...this.#trainings.values()].filter((training) => training.personaId === personaId);
  }

  #addTraining(training: NewTraining): { id: number; replaced: RemovedTraining | null } {
    const id = ++this.#lastId;
    return { id, replaced: this.#saveTraining({ ...training, id } as Training) };
  }

  #saveTraining(training: Training): RemovedTraining | null {
    const replaced = this.#trainingsOf(training.personaId).find(
      ({ id, slot }) => slot !== null && slot === training.slot && id !== training.id,
    );
    if (replaced) this.#trainings.delete(replaced.id);
    this.#trainings.set(training.id, training);
    return replaced ? removal(replaced) : null;
  }

  #findTraining(workspaceId: number, personaId: number, trainingId: number): Training | null {
    const training = this.#trainings.get(trainingId);
    return training?.workspaceId === workspaceId && training.personaId === personaId ? training : null;
  }

  #findUnsettled(trainingId: number, pictureVersion: number): CreatedTraining | null {
    const training = this.#trainings.get(trainingId);
    return training?.state === 'created' && training.pictureVersion === pictureVersion ? training : null;
  }

  #settle({ id, pictureVersion, ...end }: ProcessedTraining | FailedTraining): boolean {
    const training = this.#findUnsettled(id, pictureVersion);
    if (!training) return false;
    const { state, fileId, error } = end;
    this.#trainings.set(id, { ...training, state, fileId, error } as Training);
    return true;
  }

  #removeTraining(workspaceId: number, personaId: number, place: TrainingPlace): RemovedTraining | null {
    const training =
      'slot' in place
        ? this.#trainingsOf(personaId).find(({ slot }) => slot === place.slot)
        : this.#trainings.get(place.trainingId);
    if (!training || !this.#findTraining(workspaceId, personaId, training.id)) return null;
    this.#trainings.delete(training.id);
    return removal(training);
  }

  #listTrainings(
    workspaceId: number,
    personaId: number,
    kind: TrainingKind | null,
    { limit, after }: PageRequest,
  ): Page<TrainingRecord> | null {
    if (!this.#findPersona(workspaceId, personaId)) return null;
    const found = this.#trainingsOf(personaId)
      .filter(({ id, slot }) => id < (after ?? Infinity) && (!kind || kind === (slot ? 'slot' : 'like')))
      .map((training) => this.#recordOf(training))
      .sort((one, other) => other.id - one.id);
    return pageOf(found, limit, (training) => training.id);
  }

  #recordOf(training: Training): TrainingRecord {
    return { ...training, fileKey: this.#keyOf(training.fileId) };
  }

  #keyOf(fileId: number | null): string | null {
    return fileId === null ? null : this.#files.get(fileId)!.key;
  }
}

function removal({ id, fileId }: Training): RemovedTraining {
  return { id, fileId };
}

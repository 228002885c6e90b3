import {
  PostgresPersonas,
  PostgresPersonaViews,
  PostgresTrainings,
  PostgresUnitOfWork,
  type Database,
} from '#adapters/postgres';
import { NO_CUSTOM_DATA, type Page } from '#kernel';
import { newTraining, type NewTraining, type Persona, type Slot } from '#persona';
import { newFile, newWorkspace } from './database.ts';

export const someTime = new Date('2026-03-14T09:26:53.589Z');
export const wholeList = { limit: null, after: null };

/** The stores of personas on PostgreSQL, and what tests put into them. */
export function personaStoresOn(database: Database) {
  const personas = new PostgresPersonas(database);
  const trainings = new PostgresTrainings(database);
  const unitOfWork = new PostgresUnitOfWork(database);

  /** A new persona, in a new workspace unless one is given. */
  async function newPersona(home?: { readonly workspaceId: number; readonly userId: number }): Promise<Persona> {
    const { workspaceId, userId: createdBy } = home ?? (await newWorkspace(database));
    const profile = { name: 'Ada', title: null, knows: null, profession: null, ...NO_CUSTOM_DATA };
    return personas.add({ ...profile, workspaceId, createdBy, createdAt: someTime });
  }

  /** Adds a training in the way of the use case. */
  const add = (added: NewTraining) =>
    unitOfWork.run(async () => {
      await personas.touch(added.workspaceId, added.personaId, added.createdAt);
      return trainings.add(added);
    });

  /** A training whose picture is to be copied. */
  async function newCreated(persona: Persona, slot: Slot | null = null) {
    const { id } = await add(training(persona, slot));
    return (await trainings.findCreated(id, 1))!;
  }

  const views = new PostgresPersonaViews(database);
  return {
    personas,
    trainings,
    views,
    unitOfWork,
    newPersona,
    add,
    newCreated,
    newWorkspace: () => newWorkspace(database),
    newFile: (...file: [workspaceId: number, personaId: number | null, contentType?: string]) =>
      newFile(database, ...file),
  };
}

export type PersonaStores = ReturnType<typeof personaStoresOn>;

export function training(
  { workspaceId, id: personaId }: Persona,
  slot: Slot | null,
  { fileId = null }: { readonly fileId?: number | null } = {},
): NewTraining {
  const picture = { url: 'https://pictures.test/one.png', fileId };
  return newTraining({ workspaceId, personaId, slot }, picture, { extras: null, info: null }, someTime);
}

/** Ids of all pages, in the order of the pages. */
export async function idsOfPages(
  limit: number,
  list: (page: { limit: number; after: number | null }) => Promise<Page<{ readonly id: number }> | null>,
): Promise<number[]> {
  const ids: number[] = [];
  let after: number | null = null;
  do {
    const { items, next }: Page<{ readonly id: number }> = (await list({ limit, after }))!;
    if (items.length > limit) throw new Error(`a page of ${items.length} exceeds ${limit}`);
    ids.push(...items.map(({ id }) => id));
    after = next;
  } while (after !== null);
  return ids;
}

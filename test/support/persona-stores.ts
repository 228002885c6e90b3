import { randomUUID } from 'node:crypto';
import {
  PostgresAccounts,
  PostgresPersonas,
  PostgresPersonaViews,
  PostgresTrainings,
  PostgresUnitOfWork,
  type Database,
} from '#adapters/postgres';
import { someone } from '#testing/identity';
import type { Page } from '#kernel';
import { newTraining, type CreatedTraining, type NewTraining, type Persona, type Slot } from '#persona';

/** The stores of personas on PostgreSQL. */
export function personaStoresOn(database: Database) {
  const accounts = new PostgresAccounts(database);
  return {
    personas: new PostgresPersonas(database),
    trainings: new PostgresTrainings(database),
    views: new PostgresPersonaViews(database),
    unitOfWork: new PostgresUnitOfWork(database),
    newWorkspace: async () => {
      const { user, workspaceId } = await accounts.open(someone());
      return { workspaceId, userId: user.id };
    },
    /** A file of a persona, or of none. */
    newFile: async (workspaceId: number, personaId: number | null, contentType = 'image/png') => {
      const { id, key } = await database.kysely
        .insertInto('files')
        .values({
          workspace_id: workspaceId,
          persona_id: personaId,
          origin: 'import',
          key: `files/${randomUUID()}/picture.png`,
          filename: 'picture.png',
          size: 1,
          content_type: contentType,
          created_at: new Date(),
        })
        .returning(['id', 'key'])
        .executeTakeFirstOrThrow();
      return { id, key, contentType };
    },
  };
}

export type PersonaStores = ReturnType<typeof personaStoresOn>;

export const someTime = new Date('2026-03-14T09:26:53.589Z');
export const wholeList = { limit: null, after: null };

/** A new persona, in a new workspace unless one is given. */
export async function addPersona(
  stores: PersonaStores,
  home?: { readonly workspaceId: number; readonly userId: number },
): Promise<Persona> {
  const { workspaceId, userId } = home ?? (await stores.newWorkspace());
  return stores.personas.add({
    workspaceId,
    createdBy: userId,
    name: 'Ada',
    title: null,
    knows: null,
    profession: null,
    createdAt: someTime,
  });
}

export function training(
  { workspaceId, id: personaId }: Persona,
  slot: Slot | null,
  { fileId = null }: { readonly fileId?: number | null } = {},
): NewTraining {
  return newTraining(
    { workspaceId, personaId, slot },
    { url: 'https://pictures.test/one.png', fileId },
    { extras: null, info: null },
    someTime,
  );
}

/** A training whose picture is to be copied. */
export async function addCreated(
  { personas, trainings, unitOfWork }: PersonaStores,
  persona: Persona,
  slot: Slot | null = null,
): Promise<CreatedTraining> {
  const { id } = await unitOfWork.run(async () => {
    await personas.lockSlots(persona.workspaceId, persona.id);
    return trainings.add(training(persona, slot));
  });
  return (await trainings.findCreated(id, 1))!;
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

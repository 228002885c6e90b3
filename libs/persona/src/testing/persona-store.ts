import type { UnitOfWork } from '#kernel';
import {
  newTraining,
  type CreatedTraining,
  type NewTraining,
  type Persona,
  type Personas,
  type Slot,
  type Trainings,
} from '../index.ts';

/** What the contract suites need of an adapter. Each workspace it makes is empty. */
export interface PersonaStore {
  readonly personas: Personas;
  readonly trainings: Trainings;
  readonly unitOfWork: UnitOfWork;
  newWorkspace(): Promise<{ readonly workspaceId: number; readonly userId: number }>;
  /** A file in a workspace that lives with `personaId`. */
  newFile(
    workspaceId: number,
    personaId: number | null,
  ): Promise<{ readonly id: number; readonly key: string }>;
}

export const someTime = new Date('2026-03-14T09:26:53.589Z');

/** A new persona in a workspace of its own, unless another is given. */
export async function addPersona(
  store: PersonaStore,
  home?: { readonly workspaceId: number; readonly userId: number },
): Promise<Persona> {
  const { workspaceId, userId } = home ?? (await store.newWorkspace());
  return store.personas.add({
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

/** A training whose picture is still to be copied. */
export async function addUnsettled(
  store: PersonaStore,
  persona: Persona,
  slot: Slot | null = null,
): Promise<CreatedTraining> {
  const { id } = await store.unitOfWork.run(async () => {
    await store.personas.holdSlots(persona.workspaceId, persona.id);
    return store.trainings.add(training(persona, slot));
  });
  return (await store.trainings.findUnsettled(id, 1))!;
}

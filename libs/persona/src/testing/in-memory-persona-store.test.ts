import { directUnitOfWork } from '#testing/kernel';
import { InMemoryPersonaStore } from './in-memory-persona-store.ts';
import type { PersonaStore } from './persona-store.ts';
import { personasContract } from './personas-contract.ts';
import { trainingsContract } from './trainings-contract.ts';

async function inMemory(): Promise<PersonaStore> {
  const store = new InMemoryPersonaStore();
  let workspaces = 0;
  return {
    personas: store.personas,
    trainings: store.trainings,
    unitOfWork: directUnitOfWork,
    newWorkspace: async () => ({ workspaceId: ++workspaces, userId: workspaces }),
    newFile: async (_, personaId) => store.addFile(personaId),
  };
}

personasContract('in memory', inMemory);
trainingsContract('in memory', inMemory);

import { InMemoryPersonaSlots } from './in-memory-persona-slots.ts';
import { personaSlotsContract } from './persona-slots-contract.ts';

personaSlotsContract('in memory', async () => {
  const slots = new InMemoryPersonaSlots();
  let ids = 0;
  return {
    slots,
    workspaceId: 1,
    otherWorkspaceId: 2,
    newUser: async () => ++ids,
    newPersona: async (workspaceId, userId) => {
      slots.add(++ids, workspaceId, userId);
      return ids;
    },
    deletePersona: async (personaId) => slots.delete(personaId),
    fill: async (personaId, slot, stored) => {
      const source = { url: `https://files.test/${slot}.png`, fileId: stored ? ++ids : null };
      slots.fill(personaId, slot === 1 ? { master: source } : { main: source });
      return source;
    },
    close: async () => undefined,
  };
});

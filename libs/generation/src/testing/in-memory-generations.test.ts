import { directUnitOfWork } from '#testing/kernel';
import { generationSignalsContract } from './generation-signals-contract.ts';
import { generationViewsContract } from './generation-views-contract.ts';
import type { GenerationWorld } from './generation-world.ts';
import { generationsContract } from './generations-contract.ts';
import { InMemoryGenerations } from './in-memory-generations.ts';

const make = async (): Promise<{ world: GenerationWorld; close(): Promise<void> }> => {
  const memory = new InMemoryGenerations();
  const world = {
    generations: memory,
    views: memory,
    signals: memory,
    unitOfWork: directUnitOfWork,
    workspaceId: 1,
    otherWorkspaceId: 2,
    userId: 1,
    personaId: 1,
    fileIds: [1, 2, 3],
  };
  return { world, close: async () => undefined };
};

generationsContract('in memory', make);
generationViewsContract('in memory', make);
generationSignalsContract('in memory', make);

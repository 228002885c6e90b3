import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { cancel, succeed } from '../domain/generation.ts';
import type { GenerationChange } from '../ports/generation-signals.ts';
import { aGenerationRequest } from './builders.ts';
import type { GenerationWorld } from './generation-world.ts';

const at = new Date('2026-03-14T10:00:00Z');

/** What every `GenerationSignals` tells of what its `Generations` changes. */
export function generationSignalsContract(
  name: string,
  make: () => Promise<{ world: GenerationWorld; close(): Promise<void> }>,
): void {
  describe(`generation signals: ${name}`, () => {
    let world: GenerationWorld;
    let close: () => Promise<void>;
    beforeAll(async () => ({ world, close } = await make()));
    afterAll(() => close());

    const add = () => {
      const { workspaceId, userId, personaId } = world;
      return world.generations.add(aGenerationRequest({ workspaceId, userId, personaId }));
    };
    /** Collects what is told of a generation, until it has so many changes. */
    const follow = async (id: number) => {
      const told: Array<GenerationChange | 'missed'> = [];
      const stop = await world.signals.watch(id, (change) => told.push(change));
      const until = async (count: number) => {
        for (let wait = 0; told.length < count && wait < 500; wait++) await sleep(10);
        return told;
      };
      return { told, stop, until };
    };

    it('tell every change of state and progress in order', async () => {
      const { id } = await add();
      const { until, stop } = await follow(id);
      const running = (await world.generations.claim(id, 1, at))!;
      await world.generations.progress(running, 0.5);
      await world.generations.save(succeed(running, [], at));
      expect(await until(3)).toEqual([
        { state: 'running', progress: 0 },
        { state: 'running', progress: 0.5 },
        { state: 'succeeded', progress: 1 },
      ]);
      stop();
    });

    it('tell each watcher, and only of what it watches', async () => {
      const [one, other] = [await add(), await add()];
      const watchers = [await follow(one.id), await follow(one.id)];
      const elsewhere = await follow(other.id);
      await world.generations.save(cancel(one, at));
      for (const { until, stop } of watchers) {
        expect(await until(1)).toEqual([{ state: 'canceled', progress: 0 }]);
        stop();
      }
      expect(elsewhere.told).toEqual([]);
      elsewhere.stop();
    });

    it('tell nothing more to who has stopped, and go on telling the others', async () => {
      const queued = await add();
      const [gone, there] = [await follow(queued.id), await follow(queued.id)];
      gone.stop();
      await world.generations.save(cancel(queued, at));
      expect(await there.until(1)).toHaveLength(1);
      expect(gone.told).toEqual([]);
      there.stop();
    });

    it('tell nothing of a change that was not made', async () => {
      const queued = await add();
      const { told, until, stop } = await follow(queued.id);
      await world.generations.save(cancel(queued, at));
      await world.generations.save(cancel(queued, at));
      await world.generations.claim(queued.id, 1, at);
      await until(1);
      await sleep(50);
      expect(told).toHaveLength(1);
      stop();
    });
  });
}

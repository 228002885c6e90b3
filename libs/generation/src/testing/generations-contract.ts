import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  cancel,
  fail,
  succeed,
  type EndedGeneration,
  type Queued,
  type Running,
} from '../domain/generation.ts';
import { aGenerationRequest } from './builders.ts';
import { anyError, anyFraction, anyOutput, anyRequest, anyTime } from './generation-arbitraries.ts';
import type { GenerationWorld } from './generation-world.ts';

const at = new Date('2026-03-14T10:00:00Z');
const error = { code: 'not_an_image', message: 'the input image is not a picture' };

/** What every `Generations` does. */
export function generationsContract(
  name: string,
  make: () => Promise<{ world: GenerationWorld; close(): Promise<void> }>,
): void {
  describe(`generations: ${name}`, () => {
    let world: GenerationWorld;
    let close: () => Promise<void>;
    beforeAll(async () => ({ world, close } = await make()));
    afterAll(() => close());

    const add = (): Promise<Queued> => {
      const { workspaceId, userId, personaId, generations } = world;
      return generations.add(aGenerationRequest({ workspaceId, userId, personaId }));
    };
    const addRunning = async (attempt = 1): Promise<Running> =>
      (await world.generations.claim((await add()).id, attempt, at))!;
    const read = (id: number) => world.unitOfWork.run(() => world.generations.hold(id));

    it('gives back what was saved, whatever it is', async () => {
      const { generations } = world;
      const life = fc.record({
        request: anyRequest(world),
        attempt: fc.integer({ min: 1, max: 1_000 }),
        fraction: anyFraction,
        outputs: fc.array(anyOutput(world), { maxLength: 4 }),
        error: anyError,
        end: fc.constantFrom('succeeded', 'failed', 'canceled'),
        startedAt: anyTime,
        finishedAt: anyTime,
      });
      await fc.assert(
        fc.asyncProperty(life, async ({ request, attempt, fraction, startedAt, finishedAt, ...rest }) => {
          const queued = await generations.add(request);
          expect(queued).toEqual({ id: queued.id, attempt: 0, request, state: 'queued' });
          expect(await read(queued.id)).toEqual(queued);

          const running = await generations.claim(queued.id, attempt, startedAt);
          const { id } = queued;
          expect(running).toEqual({ id, attempt, request, state: 'running', progress: 0, startedAt });
          expect(await generations.progress(running!, fraction)).toBe(true);
          expect(await read(id)).toEqual({ ...running, progress: fraction });

          const ended: EndedGeneration =
            rest.end === 'succeeded'
              ? succeed(running!, rest.outputs, finishedAt)
              : rest.end === 'failed'
                ? fail(running!, rest.error, finishedAt)
                : cancel(running!, finishedAt);
          expect(await generations.save(ended)).toBe(true);
          expect(await read(id)).toEqual(ended);
        }),
        { numRuns: 60 },
      );
    });

    it('holds nothing that is unknown, or in another workspace than asked for', async () => {
      const { id } = await add();
      const { generations, unitOfWork, workspaceId, otherWorkspaceId } = world;
      await unitOfWork.run(async () => {
        expect(await generations.hold(id, workspaceId)).not.toBeNull();
        expect(await generations.hold(id, otherWorkspaceId)).toBeNull();
        expect(await generations.hold(987_654_321)).toBeNull();
      });
    });

    it('can be ended before any run has claimed it', async () => {
      const { generations } = world;
      const queued = await add();
      expect(await generations.save(cancel(queued, at))).toBe(true);
      expect(await generations.claim(queued.id, 1, at)).toBeNull();
    });

    it('lets a later run take over, and nobody else', async () => {
      const { generations } = world;
      const first = await addRunning(2);
      expect(await generations.claim(first.id, 1, at)).toBeNull();
      expect(await generations.claim(first.id, 2, at)).toBeNull();
      const later = new Date('2026-03-14T11:00:00Z');
      expect(await generations.claim(first.id, 3, later)).toMatchObject({ attempt: 3, startedAt: at });
    });

    it('lets a run that was taken over write nothing more', async () => {
      const { generations } = world;
      const zombie = await addRunning(1);
      const current = (await generations.claim(zombie.id, 2, at))!;
      expect(await generations.isCurrent(zombie)).toBe(false);
      expect(await generations.progress(zombie, 0.9)).toBe(false);
      expect(await generations.save(succeed(zombie, [], at))).toBe(false);
      expect(await generations.save(fail(zombie, error, at))).toBe(false);
      expect(await generations.isCurrent(current)).toBe(true);
      expect(await read(zombie.id)).toEqual(current);
    });

    it('lets nothing be changed that has ended', async () => {
      const { generations } = world;
      const running = await addRunning();
      const ended = fail(running, error, at);
      await generations.save(ended);
      expect(await generations.isCurrent(running)).toBe(false);
      expect(await generations.progress(running, 0.9)).toBe(false);
      expect(await generations.save(succeed(running, [], at))).toBe(false);
      expect(await generations.claim(running.id, 2, at)).toBeNull();
      expect(await read(running.id)).toEqual(ended);
    });

    it('tells one of many who end it at once that it did, and keeps what that one said', async () => {
      for (let round = 0; round < 20; round++) {
        const running = await addRunning();
        const fileId = world.fileIds[0]!;
        const output = { fileId, contentType: 'image/png', width: 8, height: 8, duration: null };
        const ends = [
          succeed(running, [output], at),
          fail(running, error, at),
          cancel(running, at),
          succeed(running, [output, output], at),
        ];
        const saved = await Promise.all(ends.map((end) => world.generations.save(end)));
        expect(saved.filter(Boolean)).toHaveLength(1);
        expect(await read(running.id)).toEqual(ends[saved.indexOf(true)]);
      }
    });

    it('lets one of many who claim it with the same number have it', async () => {
      for (let round = 0; round < 20; round++) {
        const { id } = await add();
        const claims = await Promise.all(
          [1, 1, 1, 1].map((attempt) => world.generations.claim(id, attempt, at)),
        );
        expect(claims.filter(Boolean)).toHaveLength(1);
      }
    });

    it('leaves it with the highest number of those who claim it at once', async () => {
      for (let round = 0; round < 20; round++) {
        const { id } = await add();
        await Promise.all([3, 1, 2, 4].map((attempt) => world.generations.claim(id, attempt, at)));
        expect(await read(id)).toMatchObject({ state: 'running', attempt: 4 });
      }
    });
  });
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fail, succeed } from '../domain/generation.ts';
import { aGenerationRequest } from './builders.ts';
import type { GenerationWorld } from './generation-world.ts';

const at = new Date('2026-03-14T10:00:00Z');

/** What every `GenerationViews` shows of what its `Generations` has. */
export function generationViewsContract(
  name: string,
  make: () => Promise<{ world: GenerationWorld; close(): Promise<void> }>,
): void {
  describe(`generation views: ${name}`, () => {
    let world: GenerationWorld;
    let close: () => Promise<void>;
    beforeAll(async () => ({ world, close } = await make()));
    afterAll(() => close());

    const request = (overrides = {}) => {
      const { workspaceId, userId, personaId } = world;
      return aGenerationRequest({ workspaceId, userId, personaId, ...overrides });
    };

    it('show what was asked for', async () => {
      const asked = request({
        prompt: 'a fox',
        parameters: { seed: 7, tile: true },
        inputs: {
          image: { url: 'https://else.test/i.png', fileId: null },
          styleReference: { url: 'https://files.test/s.png', fileId: world.fileIds[0] },
        },
      });
      const { id } = await world.generations.add(asked);
      expect(await world.views.get(world.workspaceId, id)).toEqual({
        id,
        userId: world.userId,
        personaId: world.personaId,
        model: 'test-image',
        kind: 'image',
        state: 'queued',
        progress: 0,
        prompt: 'a fox',
        parameters: { seed: 7, tile: true },
        imageUrl: 'https://else.test/i.png',
        styleReferenceUrl: 'https://files.test/s.png',
        outputs: [],
        error: null,
        cost: 4,
        createdAt: asked.createdAt,
        startedAt: null,
        finishedAt: null,
      });
    });

    it('show how far it is and how it ended', async () => {
      const { generations, views, workspaceId, fileIds } = world;
      const { id } = await generations.add(request());
      const running = (await generations.claim(id, 1, at))!;
      await generations.progress(running, 0.25);
      expect(await views.get(workspaceId, id)).toMatchObject({
        state: 'running',
        progress: 0.25,
        startedAt: at,
      });

      const video = { contentType: 'video/mp4', width: 640, height: 360, duration: 2.5 };
      const outputs = [fileIds[2]!, fileIds[1]!].map((fileId) => ({ fileId, ...video }));
      await generations.save(succeed(running, outputs, at));
      const view = await views.get(workspaceId, id);
      expect(view).toMatchObject({ state: 'succeeded', progress: 1, error: null, finishedAt: at });
      expect(view.outputs).toEqual([
        { url: expect.stringMatching(/^https?:/), ...video },
        { url: expect.stringMatching(/^https?:/), ...video },
      ]);
      expect(view.outputs[0]!.url).not.toBe(view.outputs[1]!.url);
    });

    it('show why it failed, and how far it had come', async () => {
      const { generations, views, workspaceId } = world;
      const { id } = await generations.add(request());
      const running = (await generations.claim(id, 1, at))!;
      await generations.progress(running, 0.5);
      const error = { code: 'url_timeout', message: 'the input image did not come in time' };
      await generations.save(fail(running, error, at));
      expect(await views.get(workspaceId, id)).toMatchObject({ state: 'failed', progress: 0.5, error });
    });

    it('do not tell what is unknown from what is in another workspace', async () => {
      const { id } = await world.generations.add(request());
      const foreign = world.views.get(world.otherWorkspaceId, id);
      await expect(foreign).rejects.toMatchObject({ code: 'not_found', message: 'no such generation' });
      const unknown = world.views.get(world.workspaceId, 987_654_321);
      await expect(unknown).rejects.toMatchObject({ code: 'not_found', message: 'no such generation' });
    });

    it('list the newest first, page by page, and nothing of other workspaces', async () => {
      const { generations, views, workspaceId, otherWorkspaceId } = world;
      for (let count = 0; count < 5; count++) await generations.add(request());
      const all = await views.list(workspaceId, { limit: null, after: null });
      const ids = all.items.map((view) => view.id);
      expect(ids).toEqual([...ids].sort((a, b) => b - a));
      expect(all.next).toBeNull();

      const paged: number[] = [];
      let after: number | null = null;
      do {
        const page = await views.list(workspaceId, { limit: 2, after });
        expect(page.items.length).toBeLessThanOrEqual(2);
        paged.push(...page.items.map((view) => view.id));
        after = page.next;
      } while (after !== null);
      expect(paged).toEqual(ids);

      const exact = await views.list(workspaceId, { limit: ids.length, after: null });
      expect(exact).toMatchObject({ next: null });
      expect((await views.list(otherWorkspaceId, { limit: 50, after: null })).items).toEqual([]);
    });
  });
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GenerationStage } from '../../../test/support/generation-store.ts';
import { PREVIEW_PROMPT } from './domain/trained-style.ts';

let stage: GenerationStage;
beforeAll(async () => (stage = await GenerationStage.open({ hasPreviews: true })));
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.enter();
  for (const slot of [1, 2, 3]) await stage.fill(slot, await stage.newFile());
});

/** Trains a style to its end; returns its id. */
async function ready(meanwhile: () => Promise<unknown> = async () => {}): Promise<number> {
  const call = { personaId: stage.personaId, model: 'test-style', name: null, pictures: null, webhook: null };
  const { styleId, accepted } = await stage.styles.train(stage.actor, { ...call, fields: {}, dryRun: false });
  await meanwhile();
  stage.work = async () => {
    const file = join(stage.folder, `trained-${styleId}`);
    await writeFile(file, '{"reference":"vendor-style-1"}');
    return [{ file, contentType: 'application/json', width: 0, height: 0, duration: null }];
  };
  await stage.run(accepted.id!);
  stage.work = async () => [stage.aPicture];
  return styleId!;
}

const previews = () =>
  stage.db.query<{ id: number; model: string; prompt: string; cost: number; styleId: number }>(
    `select id, model, prompt, cost, style_id as "styleId" from generations
     where workspace_id = $1 and kind = 'image'`,
    [stage.actor.workspaceId],
  );

describe('the preview of a style', () => {
  it('is a generation with the new style that costs no credits, and its picture shows the style', async () => {
    const styleId = await ready();
    const [preview, ...others] = await previews();
    expect(preview).toMatchObject({ model: 'test-styled', prompt: PREVIEW_PROMPT, cost: 0, styleId });
    expect(others).toEqual([]);
    expect(stage.recorded.announced).toContainEqual(
      expect.objectContaining({ name: 'generation.run', payload: { generationId: preview!.id } }),
    );
    await stage.run(preview!.id);
    const { workspaceId } = stage.actor;
    const view = await stage.styleViews.get({ workspaceId, personaId: stage.personaId, styleId });
    expect(view!.preview).toMatch(/^files\//);
    // The training alone.
    expect(await stage.used()).toBe(4);
  });

  it('is left out when the person has left the workspace, and the style is ready all the same', async () => {
    const { workspaceId } = stage.actor;
    const { userId } = await stage.newWorkspace();
    await stage.db.query(
      `insert into memberships (workspace_id, user_id, is_team, role, joined_at) values ($1, $2, true, 'member', now())`,
      [workspaceId, userId],
    );
    stage.actor = { ...stage.actor, userId };
    const styleId = await ready(() =>
      stage.db.query('delete from memberships where workspace_id = $1 and user_id = $2', [workspaceId, userId]),
    );
    expect(await previews()).toEqual([]);
    const view = await stage.styleViews.get({ workspaceId, personaId: stage.personaId, styleId });
    expect(view).toMatchObject({ state: 'succeeded', isActive: true });
  });

  it('is left out when no model of the family can be used now', async () => {
    const { models } = stage;
    try {
      stage.models = models.filter(({ id }) => id !== 'test-styled');
      await ready();
      expect(await previews()).toEqual([]);
    } finally {
      stage.models = models;
    }
  });
});

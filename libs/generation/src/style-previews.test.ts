import { describe, expect, it } from '@jest/globals';
import { ready, stage, style, useStyles } from '../../../test/support/style-stage.ts';
import { PREVIEW_PROMPT } from './domain/trained-style.ts';

useStyles({ hasPreviews: true });

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
    expect((await style(styleId)).preview).toMatch(/^files\//);
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
    expect(await style(styleId)).toMatchObject({ state: 'succeeded', isActive: true });
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

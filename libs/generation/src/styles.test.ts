import { describe, expect, it } from '@jest/globals';
import { refused } from '#testing/kernel';
import { fileStoreOn } from '../../../test/support/file-store.ts';
import { rounds } from '../../../test/support/rounds.ts';
import { idOf, ready, stage, style, train, trained, useStyles } from '../../../test/support/style-stage.ts';

const STYLED = 'test-styled';

useStyles();

const states = async () =>
  (await stage.styleViews.list(stage.actor.workspaceId, stage.personaId))!.map(({ id, isActive }) => [id, isActive]);

/** Does what the job does that was announced for deletable files; returns which of the files remain. */
async function afterDeletion(fileIds: readonly number[]): Promise<number[]> {
  const { discarded, files, unitOfWork } = fileStoreOn(stage.db.database);
  await unitOfWork.run(() => discarded.decide(stage.deletable, new Date()));
  const found = await Promise.all(fileIds.map((id) => files.find(id)));
  return found.flatMap((file) => file?.id ?? []);
}

/** Adds a training without a slot; returns its id. */
async function aLike({ state = 'created', error = null as string | null, fileId = null as number | null } = {}) {
  const [like] = await stage.db.query<{ id: number }>(
    `insert into trainings (workspace_id, persona_id, source_url, file_id, state, error, picture_version, created_at)
     values ($1, $2, 'https://else.test/like.png', $3, $4, $5, 1, now()) returning id`,
    [stage.actor.workspaceId, stage.personaId, fileId, state, error],
  );
  return like!.id;
}

const fileOf = async (styleId: number): Promise<number> =>
  (await stage.db.query<{ file_id: number }>('select file_id from styles where id = $1', [styleId]))[0]!.file_id;

describe('training a style', () => {
  it('is a generation on the pictures as they are now, paid once, whose file is private', async () => {
    const { styleId, accepted } = await train();
    expect(accepted).toMatchObject({
      kind: 'style',
      cost: 4,
      trainedStyle: { id: styleId, name: 'Oils', weights: null },
    });
    expect(await style(styleId!)).toMatchObject({ state: 'queued', isActive: false, generationId: accepted.id });
    const given: string[] = [];
    stage.work = async ({ pictures }) => {
      given.push(...pictures.map(({ file }) => file));
      return trained();
    };
    await stage.run(accepted.id!);
    expect(given).toHaveLength(3);
    expect(await style(styleId!)).toMatchObject({
      state: 'succeeded',
      isActive: true,
      isOutdated: false,
      family: 'test',
    });
    expect(await stage.used()).toBe(4);
    const view = await stage.view(accepted.id!);
    expect([view.outputs, view.request.inputs.pictures.length]).toEqual([[], 3]);
    const [file] = await stage.db.query<{ key: string }>('select key from files where id = $1', [
      await fileOf(styleId!),
    ]);
    expect(file!.key).toMatch(/^weights\/[\w-]+\/generation-\d+\.json$/);
    // The three files are those in the slots.
    expect(await stage.shownFiles()).toBe(3);
  });

  it('computes the cost only, in a dry run', async () => {
    const { styleId, accepted } = await train({ dryRun: true });
    expect([styleId, accepted.id, accepted.cost]).toEqual([null, null, 4]);
    expect([await states(), await stage.used()]).toEqual([[], 0]);
  });

  it('calls its webhook once it has ended, and refuses one that must not be called', async () => {
    const webhook = 'https://else.test/hook';
    const { accepted } = await train({ webhook });
    stage.work = () => trained();
    await stage.run(accepted.id!);
    await stage.publish();
    expect(
      await stage.db.query('select url, state from webhook_deliveries where generation_id = $1', [accepted.id]),
    ).toEqual([{ url: webhook, state: 'pending' }]);
    const failure = await refused(train({ webhook: 'https://private.test/hook', dryRun: true }));
    expect([failure.code, Object.keys(failure.fields!)]).toEqual(['validation_failed', ['webhook']]);
  });

  it('takes the pictures that the call names, also likes, in their order', async () => {
    const trainings = await stage.db.query<{ id: number }>(
      'select id from trainings where persona_id = $1 and slot is not null order by slot',
      [stage.personaId],
    );
    const chosen = [await aLike(), trainings[2]!.id, trainings[0]!.id];
    const { styleId, accepted } = await train({ pictures: chosen });
    expect((await style(styleId!)).pictures.map(({ trainingId }) => trainingId)).toEqual(chosen);
    expect(accepted.inputs.pictures[0]).toEqual({ url: 'https://else.test/like.png', fileId: null });
  });

  it('refuses pictures that are not usable ones of the persona', async () => {
    const failed = await aLike({ state: 'failed', error: 'not_an_image' });
    const [own] = await stage.db.query<{ id: number }>('select id from trainings where persona_id = $1', [
      stage.personaId,
    ]);
    for (const pictures of [[failed], [987_654_321], [own!.id, own!.id]]) {
      expect((await refused(train({ pictures }))).code).toBe('validation_failed');
    }
  });

  it.each(['video/mp4', 'model/gltf-binary'])('refuses a like of the type %s', async (contentType) => {
    const { fileId } = await stage.newFile(contentType);
    const failure = await refused(train({ pictures: [await aLike({ state: 'processed', fileId })] }));
    expect([failure.code, Object.keys(failure.fields ?? {})]).toEqual(['validation_failed', ['pictures']]);
  });

  it('refuses too few pictures, a model that makes files, and a persona of another workspace', async () => {
    await stage.db.query('delete from trainings where persona_id = $1 and slot = 3', [stage.personaId]);
    expect(await refused(train())).toMatchObject({ code: 'slot_empty', message: /at least 3 pictures/ });
    expect((await refused(train({ model: 'test-image' }))).fields).toHaveProperty('model');
    expect((await refused(stage.request({ model: 'test-style' }))).fields).toHaveProperty('model');
    const { workspaceId } = await stage.newWorkspace();
    expect((await refused(train({ personaId: await stage.newPersona(workspaceId) }))).code).toBe('not_found');
  });

  it('fails without a charge when the trainer returns something else than a style', async () => {
    const { styleId, accepted } = await train();
    stage.work = () => trained('<!doctype html>');
    await expect(stage.run(accepted.id!)).rejects.toThrow('the model did not make a usable style');
    await stage.generations.fail(accepted.id!, new Error('the last try has failed'));
    expect([(await style(styleId!)).state, await stage.used()]).toEqual(['failed', 0]);
  });

  it('is outdated once the slots have changed, and not by a like', async () => {
    const styleId = await ready();
    await aLike();
    await stage.fill(7, await stage.newFile());
    expect((await style(styleId)).isOutdated).toBe(false);
    const given = (version: number) =>
      stage.db.query('update trainings set picture_version = $2 where persona_id = $1 and slot = 2', [
        stage.personaId,
        version,
      ]);
    await given(2);
    expect((await style(styleId)).isOutdated).toBe(true);
    await given(1);
    await stage.fill(4, await stage.newFile());
    expect((await style(styleId)).isOutdated).toBe(true);
  });

  it('ends without a charge when the persona is deleted meanwhile', async () => {
    const { accepted } = await train();
    stage.work = async () => {
      await stage.deletePersona();
      return trained();
    };
    await expect(stage.run(accepted.id!)).rejects.toThrow('persona');
    await stage.generations.endOfPersona(stage.personaId, new AbortController().signal);
    expect([(await stage.view(accepted.id!)).state, await stage.used()]).toEqual(['failed', 0]);
  });
});

describe('the active style of a persona', () => {
  it('is the first that becomes ready, until another is chosen, or none', async () => {
    const [first, second] = [await ready(), await ready()];
    expect(await states()).toEqual([
      [second, false],
      [first, true],
    ]);
    const choose = (id: number | null) => stage.styles.activate(stage.actor.workspaceId, stage.personaId, id);
    await choose(second);
    expect(await states()).toEqual([
      [second, true],
      [first, false],
    ]);
    await choose(null);
    expect((await states()).map(([, isActive]) => isActive)).toEqual([false, false]);
  });

  it('is never a style that is not ready', async () => {
    const { styleId } = await train();
    const chosen = stage.styles.activate(stage.actor.workspaceId, stage.personaId, styleId);
    expect((await refused(chosen)).code).toBe('conflict');
  });

  it('is one of two that become ready at the same time', async () => {
    for (let round = 0; round < rounds(); round++) {
      await stage.db.query('delete from styles where persona_id = $1', [stage.personaId]);
      const [one, other] = [await train(), await train()];
      stage.work = () => trained();
      await Promise.all([one, other].map(({ accepted }) => stage.run(accepted.id!)));
      const ended = await states();
      expect(ended.map(([, isActive]) => isActive).sort()).toEqual([false, true]);
    }
  });

  it('that is one, also when others are chosen while one becomes ready', async () => {
    const [chosen, id] = [await ready(), stage.personaId];
    for (let round = 0; round < rounds(); round++) {
      const { accepted } = await train();
      stage.work = () => trained();
      const choose = (styleId: number | null) => stage.styles.activate(stage.actor.workspaceId, id, styleId);
      const run = { hasEnded: false };
      const ending = stage.run(accepted.id!).finally(() => (run.hasEnded = true));
      const choosing = async () => {
        while (!run.hasEnded) for (const styleId of [null, chosen]) await choose(styleId);
      };
      await Promise.all([ending, choosing()]);
      expect((await states()).filter(([, isActive]) => isActive)).toHaveLength(1);
    }
  });
});

describe('a generation with a persona', () => {
  it('uses the active style where the model takes one, and is given its file', async () => {
    const styleId = await ready();
    const { id, trainedStyle } = await stage.request({ model: STYLED });
    expect(trainedStyle).toMatchObject({ id: styleId, name: 'Oils', weights: { fileId: await fileOf(styleId) } });
    let given: string | undefined;
    stage.work = async (task) => {
      given = task.trainedStyle?.contentType;
      return [stage.aPicture];
    };
    await stage.run(id!);
    expect(given).toBe('application/json');
    expect((await stage.view(id!)).request.trainedStyle).toMatchObject({ id: styleId, name: 'Oils' });
    const [output] = (await stage.view(id!)).outputs;
    expect((await style(styleId)).preview).toBe(output!.key);
    expect((await stage.request({ model: 'test-image' })).trainedStyle).toBeNull();
  });

  it('keeps the style that it was accepted with until it ends, though that is deleted', async () => {
    const styleId = await ready();
    const fileId = await fileOf(styleId);
    const id = await stage.accepted({ model: STYLED });
    await stage.styles.delete(idOf(styleId));
    expect(await afterDeletion([fileId])).toEqual([fileId]);
    stage.recorded.announced.length = 0;
    await stage.run(id);
    expect((await stage.view(id)).state).toBe('succeeded');
    expect(await afterDeletion([fileId])).toEqual([]);
    expect((await stage.view(id)).request.trainedStyle).toMatchObject({ name: 'Oils' });
    expect((await stage.request({ model: STYLED })).trainedStyle).toBeNull();
  });
});

describe('deleting a style', () => {
  it('deletes its file and the pictures that nothing else refers to', async () => {
    const styleId = await ready();
    const pictures = (
      await stage.db.query<{ file_id: number }>('select file_id from style_pictures where style_id = $1', [styleId])
    ).map(({ file_id }) => file_id);
    // A training that was replaced leaves its picture to the style.
    await stage.db.query('delete from trainings where persona_id = $1 and slot = 1', [stage.personaId]);
    await stage.db.query(`update files set origin = 'import' where id = any($1)`, [pictures]);
    stage.recorded.announced.push({ name: 'files.reclaim', payload: { fileIds: pictures } } as never);
    expect(await afterDeletion(pictures)).toEqual(pictures);
    const fileId = await fileOf(styleId);
    await stage.styles.delete(idOf(styleId));
    expect(await afterDeletion([fileId, ...pictures])).toEqual(pictures.slice(1));
    expect(await states()).toEqual([]);
    expect((await refused(stage.styles.delete(idOf(styleId)))).code).toBe('not_found');
  });

  it('cancels its training and returns the credits', async () => {
    const { styleId, accepted } = await train();
    await stage.styles.delete(idOf(styleId!));
    expect([(await stage.view(accepted.id!)).state, await stage.used()]).toEqual(['canceled', 0]);
  });

  it('leaves the style of another persona or workspace alone', async () => {
    const styleId = await ready();
    const other = await stage.newPersona();
    expect((await refused(stage.styles.delete({ ...idOf(styleId), personaId: other }))).code).toBe('not_found');
    expect((await refused(stage.styles.rename({ ...idOf(styleId), workspaceId: 987_654 }, 'Mine'))).code).toBe(
      'not_found',
    );
    await stage.styles.rename(idOf(styleId), ' Warm ');
    expect((await style(styleId)).name).toBe('Warm');
  });
});

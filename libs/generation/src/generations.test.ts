import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '#kernel';
import { NO_INPUTS } from '#testing/generation';
import { refused } from '#testing/kernel';
import { Personas } from '#persona';
import { SourceFailure } from '#sources';
import { GenerationStage, MONTHLY_CREDITS } from '../../../test/support/generation-store.ts';
import { InputFailure } from './failures.ts';
import { ProviderFailure } from './ports.ts';

let stage: GenerationStage;
beforeAll(async () => (stage = await GenerationStage.open()));
afterAll(() => stage.close());
beforeEach(() => stage.enter());

/** Uses up the credits of the month, all but some. */
async function leaveCredits(credits: number): Promise<void> {
  await stage.request({ fields: { count: 1 } });
  await stage.db.database.kysely
    .updateTable('credit_months')
    .set({ used: MONTHLY_CREDITS - credits })
    .where('workspace_id', '=', stage.actor.workspaceId)
    .execute();
}

describe('requesting a generation', () => {
  it('queues it with the slots as inputs, reserves its cost, and schedules its run', async () => {
    const [master, main] = [await stage.newFile(), await stage.newFile()];
    await stage.fill(1, master);
    await stage.fill(7, main);
    const accepted = await stage.request({ fields: { count: '3' }, prompt: 'a fox' });
    expect(accepted).toMatchObject({ cost: 12, kind: 'image', parameters: { count: 3 }, prompt: 'a fox' });
    expect(accepted.inputs).toEqual({
      ...NO_INPUTS,
      image: { key: main.key, fileId: main.fileId },
      style: { key: master.key, fileId: master.fileId },
    });
    const { id, ...request } = accepted;
    expect(request.personaId).toBe(stage.personaId);
    expect(await stage.view(id!)).toMatchObject({ state: 'queued', request });
    expect(await stage.used()).toBe(12);
    expect(stage.recorded.announced).toMatchObject([
      { name: 'generation.run', payload: { generationId: accepted.id }, delaySeconds: 0, bulk: false },
    ]);
  });

  it('goes on from an output of the workspace, which must exist', async () => {
    const parentId = await stage.accepted();
    const parent = { generationId: parentId, output: 0 };
    const missing = await refused(stage.request({ parent }));
    expect([missing.code, missing.fields]).toEqual([
      'validation_failed',
      { parent: [`must be an output that exists: generation ${parentId} has no output 0`] },
    ]);
    await stage.run(parentId);
    expect((await refused(stage.request({ parent: { ...parent, output: 1 } }))).code).toBe('validation_failed');
    const accepted = await stage.request({ parent });
    expect((await stage.view(accepted.id!)).request.parent).toEqual(parent);
    expect((await stage.request({ parent, dryRun: true })).parent).toEqual(parent);

    await stage.enter();
    for (const generationId of [parentId, 987_654_321]) {
      const unknown = await refused(stage.request({ parent: { ...parent, generationId }, dryRun: true }));
      expect([unknown.code, unknown.message]).toEqual(['not_found', 'no such parent']);
    }
  });

  it('does not go on from an output that was deleted', async () => {
    const parent = { generationId: await stage.accepted(), output: 0 };
    await stage.run(parent.generationId);
    await stage.deletePersona();
    const refusal = await refused(stage.request({ parent, personaId: await stage.newPersona() }));
    expect(refusal.code).toBe('validation_failed');
  });

  it('without a persona uses no slots, and gives the outputs to the first of the caller', async () => {
    await stage.fill(7, await stage.newFile());
    const second = await stage.newPersona();
    const { personaId, inputs } = await stage.request({ personaId: null });
    expect(personaId).toBe(stage.personaId);
    expect(inputs).toEqual(NO_INPUTS);
    await stage.deletePersona();
    expect((await stage.request({ personaId: null })).personaId).toBe(second);
  });

  it('creates one persona for a caller without any; none in a dry run', async () => {
    await stage.deletePersona();
    const call = (dryRun: boolean) => stage.request({ personaId: null, dryRun });
    expect(await call(true)).toMatchObject({ id: null, personaId: null, cost: 4 });
    const { workspaceId, userId } = stage.actor;
    expect(await stage.slots.firstPersonaOf(workspaceId, userId)).toBeNull();
    const { personaId } = await call(false);
    expect(personaId).not.toBeNull();
    expect(await stage.slots.firstPersonaOf(workspaceId, userId)).toBe(personaId);
  });

  it('needs a persona that is not deleted as soon as it is created', async () => {
    await stage.deletePersona();
    const createDefault = jest.spyOn(Personas.prototype, 'createDefault').mockResolvedValue();
    expect((await refused(stage.request({ personaId: null }))).code).toBe('no_persona');
    createDefault.mockRestore();
  });

  it('finds no persona of another workspace, whatever else is wrong with the call', async () => {
    const { workspaceId } = await stage.newWorkspace();
    const foreign = await stage.newPersona(workspaceId);
    for (const personaId of [foreign, 987_654_321]) {
      expect(await refused(stage.request({ personaId, model: 'nope' }))).toMatchObject({
        code: 'not_found',
        message: 'no such persona',
      });
    }
  });

  it.each([
    [
      'an unknown model',
      { model: 'nope' },
      { model: ['must be one of test-image, test-video, test-collage, test-style, test-styled'] },
    ],
    ['parameters out of range', { fields: { count: 0 } }, { count: ['must be an integer from 1 to 500000'] }],
  ])('refuses %s', async (_, call, fields) => {
    const error = await refused(stage.request(call));
    expect([error.code, error.fields]).toEqual(['validation_failed', fields]);
  });

  it('stores all inputs that the call names: files by their keys, and URLs elsewhere as given', async () => {
    const [style, extra, mask] = [await stage.newFile(), await stage.newFile(), await stage.newFile()];
    await stage.fill(1, style);
    await stage.fill(2, extra);
    const extraImages = [null, 'https://else.test/2.png', extra.url];
    const given = { model: 'test-collage', extraImages, maskImage: mask.url, controlImage: 'https://else.test/c.png' };
    const accepted = await stage.request({ ...given, webhook: 'https://else.test/hook?a=b' });
    const sourceOf = ({ key, fileId }: typeof mask) => ({ key, fileId });
    expect(accepted.inputs).toEqual({
      ...NO_INPUTS,
      style: sourceOf(style),
      references: [{ url: 'https://else.test/2.png', fileId: null }, sourceOf(extra)],
      mask: sourceOf(mask),
      control: { url: 'https://else.test/c.png', fileId: null },
    });
    const { id, ...request } = accepted;
    expect((await stage.view(id!)).request).toEqual(request);
    expect((await stage.request({ ...given, dryRun: true })).inputs).toEqual(accepted.inputs);
  });

  it('refuses a webhook at an address that may not be called, also in a dry run', async () => {
    for (const dryRun of [false, true]) {
      const error = await refused(stage.request({ webhook: 'https://private.test/', dryRun }));
      expect(error.fields).toEqual({ webhook: ['must be at a public host, on port 80 or 443, without credentials'] });
    }
  });

  it('refuses a stored URL that is no file of the workspace', async () => {
    const { url } = await stage.newFile();
    await stage.enter();
    for (const image of [url, `${url}.png`]) {
      expect(await refused(stage.request({ image }))).toMatchObject({ code: 'not_found', message: 'no such file' });
    }
  });

  it('refuses a stored file that is no picture', async () => {
    const { url } = await stage.newFile('video/mp4');
    const wrong = ['must be a picture'];
    expect((await refused(stage.request({ image: url }))).fields).toEqual({ image: wrong });
    const extraImages = [null, 'https://else.test/2.png', null, url];
    const collage = await refused(stage.request({ model: 'test-collage', extraImages }));
    expect(collage.fields).toEqual({ extra_image_4: wrong });
  });

  it('spends all credits; a call that costs more has no effect', async () => {
    await leaveCredits(12);
    expect((await refused(stage.request({ fields: { count: 4 } }))).code).toBe('insufficient_credits');
    const before = await stage.used();
    await stage.request({ fields: { count: 3 } });
    expect(await stage.used()).toBe(before + 12);
    expect((await refused(stage.request())).code).toBe('insufficient_credits');
    expect(await stage.used()).toBe(before + 12);
    const { items } = await stage.views.list(stage.actor.workspaceId, { limit: null, after: null });
    expect(items).toHaveLength(2);
  });

  it('only computes inputs and cost in a dry run, even without credits, with the same refusals', async () => {
    const { key, url } = await stage.newFile();
    const dryRun = await stage.request({ dryRun: true, image: url, fields: { count: 500_000 } });
    expect(dryRun).toMatchObject({ id: null, cost: 2_000_000, inputs: { image: { key } } });
    expect(stage.recorded.announced).toEqual([]);
    expect(await stage.used()).toBe(0);
    const { items } = await stage.views.list(stage.actor.workspaceId, { limit: null, after: null });
    expect(items).toEqual([]);
    expect((await refused(stage.request({ dryRun: true, model: 'nope' }))).code).toBe('validation_failed');
    const image = stage.urls.plainUrlOf('files/none/x.png');
    expect((await refused(stage.request({ dryRun: true, image }))).code).toBe('not_found');
  });
});

describe('canceling a generation', () => {
  const cancel = (id: number) => stage.generations.cancel(stage.actor, id);

  it('ends it at once and releases its credits, queued or running, and changes nothing the second time', async () => {
    const [queued, running] = [await stage.accepted(), await stage.accepted()];
    await stage.store.claim(running, 1, new Date());
    for (const id of [queued, running]) {
      await cancel(id);
      const view = await stage.view(id);
      expect(view.state).toBe('canceled');
      await cancel(id);
      expect(await stage.view(id)).toEqual(view);
    }
    expect(await stage.used()).toBe(0);
  });

  it('is refused once it succeeded or failed', async () => {
    const [done, broken] = [await stage.accepted(), await stage.accepted()];
    await stage.run(done);
    await stage.generations.fail(broken, new Error('no'));
    for (const id of [done, broken]) {
      await expect(cancel(id)).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(await stage.used()).toBe(4);
  });

  it('finds nothing in other workspaces', async () => {
    const id = await stage.accepted();
    await stage.enter();
    await expect(cancel(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(cancel(987_654_321)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('giving a generation up', () => {
  const timeout = new SourceFailure('url_timeout', { retryable: true });
  it.each([
    [new InputFailure({ input: 'image', position: 1 }, timeout), 'url_timeout', 'the image did not arrive in time'],
    [new ProviderFailure('invalid_input', 'refused'), 'invalid_input', 'refused'],
    [new DomainError('no_persona', 'the persona was deleted'), 'no_persona', 'the persona was deleted'],
    [new Error('ENOENT /secret/path'), 'internal_error', 'the generation could not be completed'],
    ['not even an error', 'internal_error', 'the generation could not be completed'],
  ])(
    'ends it as failed with the error, and releases its credits and input files (%#)',
    async (reason, code, message) => {
      const files = [await stage.newFile(), await stage.newFile(), await stage.newFile(), await stage.newFile()];
      const [image, styleTransfer, extra, maskImage] = files.map(({ url }) => url);
      const id = await stage.accepted({
        model: 'test-collage',
        image,
        styleTransfer,
        extraImages: [extra!],
        maskImage,
      });
      await stage.generations.fail(id, reason);
      expect(await stage.view(id)).toMatchObject({ state: 'failed', error: { code, message }, outputs: [] });
      expect(await stage.used()).toBe(0);
      expect(stage.deletable).toEqual(files.map(({ fileId }) => fileId));
    },
  );

  it('has no effect on a generation that has ended or is unknown', async () => {
    const id = await stage.accepted();
    await stage.generations.cancel(stage.actor, id);
    await stage.generations.fail(id, new Error('late'));
    await stage.generations.fail(987_654_321, new Error('late'));
    expect(await stage.view(id)).toMatchObject({ state: 'canceled', error: null });
  });
});

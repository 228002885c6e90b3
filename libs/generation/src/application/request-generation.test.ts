import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DomainError } from '#kernel';
import { PERSONA, Stage, STORE } from '../testing/stage.ts';

describe('requesting a generation', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  const refused = (call: Promise<unknown>): Promise<DomainError> =>
    call.then(
      () => Promise.reject(new Error('was not refused')),
      (error: DomainError) => error,
    );

  it('queues it with its inputs, reserves its cost, and has it run', async () => {
    const accepted = await stage.call({ fields: { count: '3' }, prompt: 'a fox' });
    expect(accepted).toMatchObject({ cost: 12, kind: 'image', parameters: { count: 3 }, prompt: 'a fox' });
    expect(await stage.view(accepted.id!)).toMatchObject({
      state: 'queued',
      personaId: PERSONA,
      imageUrl: `${STORE}7.png`,
      styleReferenceUrl: `${STORE}1.png`,
      cost: 12,
    });
    expect(await stage.balance()).toEqual({ allocation: 100, used: 12 });
    expect(stage.jobs.announced).toMatchObject([
      { name: 'generation.run', payload: { generationId: accepted.id }, delaySeconds: 0, bulk: false },
    ]);
  });

  it('without a persona takes nothing from slots, and keeps the outputs with the first persona', async () => {
    const id = await stage.accepted({ personaId: null });
    expect(await stage.view(id)).toMatchObject({
      personaId: PERSONA,
      imageUrl: null,
      styleReferenceUrl: null,
    });
  });

  it('without a persona is refused to a caller who has made none', async () => {
    stage.slots.delete(PERSONA);
    expect((await refused(stage.call({ personaId: null }))).code).toBe('no_persona');
  });

  it('finds no persona of another workspace, whatever else is wrong with the call', async () => {
    stage.slots.add(6, 2, stage.actor.userId);
    for (const personaId of [6, 999]) {
      expect(await refused(stage.call({ personaId, model: 'nope' }))).toMatchObject({
        code: 'not_found',
        message: 'no such persona',
      });
    }
  });

  it('refuses an unknown model and names those there are', async () => {
    const error = await refused(stage.call({ model: 'nope' }));
    expect(error.code).toBe('validation_failed');
    expect(error.fields).toEqual({ model: ['must be one of test-image, test-video'] });
  });

  it('refuses parameters that the model does not allow', async () => {
    expect((await refused(stage.call({ fields: { count: 51 } }))).fields).toEqual({
      count: ['must be an integer from 1 to 50'],
    });
  });

  it('refers to a stored file that the call names, and to nothing for a URL elsewhere', async () => {
    stage.files.set('mine.png', { id: 42, contentType: 'image/png' });
    const { inputs } = (await stage.call({
      image: `${STORE}mine.png`,
      styleTransfer: 'https://else.test/s.jpg',
    })) as never as { inputs: unknown };
    expect(inputs).toEqual({
      image: { url: `${STORE}mine.png`, fileId: 42 },
      styleReference: { url: 'https://else.test/s.jpg', fileId: null },
    });
  });

  it('refuses a stored URL that is none of the workspace', async () => {
    expect((await refused(stage.call({ image: `${STORE}theirs.png` }))).code).toBe('not_found');
  });

  it.each([
    ['image', { image: `${STORE}clip.mp4` }],
    ['style_transfer', { styleTransfer: `${STORE}clip.mp4` }],
  ])('refuses a stored file that is no picture in %s', async (field, call) => {
    stage.files.set('clip.mp4', { id: 43, contentType: 'video/mp4' });
    expect((await refused(stage.call(call))).fields).toEqual({ [field]: ['must be a picture'] });
  });

  it('takes exactly what is left of the credits and not one more', async () => {
    await stage.call({ fields: { count: 25 } });
    expect(await stage.balance()).toEqual({ allocation: 100, used: 100 });
    const error = await refused(stage.call());
    expect(error.code).toBe('insufficient_credits');
    expect(await stage.balance()).toEqual({ allocation: 100, used: 100 });
  });

  it('only tells inputs and cost in a dry run, also when the credits would not do', async () => {
    const answer = await stage.call({ dryRun: true, fields: { count: 50 } });
    expect(answer).toMatchObject({ id: null, cost: 200, inputs: { image: { url: `${STORE}7.png` } } });
    expect(stage.jobs.announced).toEqual([]);
    expect(await stage.balance()).toEqual({ allocation: 100, used: 0 });
    expect((await stage.memory.list(1, { limit: null, after: null })).items).toEqual([]);
  });

  it('refuses in a dry run what it would refuse in earnest', async () => {
    expect((await refused(stage.call({ dryRun: true, model: 'nope' }))).code).toBe('validation_failed');
    expect((await refused(stage.call({ dryRun: true, image: `${STORE}x.png` }))).code).toBe('not_found');
  });
});

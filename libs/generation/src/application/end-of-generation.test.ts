import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { SourceFailure } from '#sources';
import { ProviderFailure } from '../ports/generation-provider.ts';
import { Stage } from '../testing/stage.ts';
import { InputFailure } from './generation-failure.ts';

describe('canceling a generation', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });

  it('ends it at once and gives its credits back, queued or running', async () => {
    const [queued, running] = [await stage.accepted(), await stage.accepted()];
    await stage.memory.claim(running, 1, stage.clock.now());
    for (const id of [queued, running]) {
      await stage.cancel.run(stage.actor, id);
      expect((await stage.view(id)).state).toBe('canceled');
    }
    expect(await stage.balance()).toEqual({ allocation: 100, used: 0 });
    await stage.run(queued);
    expect(stage.opened).toEqual([]);
  });

  it('changes nothing the second time', async () => {
    const id = await stage.accepted();
    await stage.cancel.run(stage.actor, id);
    const before = await stage.view(id);
    stage.clock.advance(5);
    await stage.cancel.run(stage.actor, id);
    expect(await stage.view(id)).toEqual(before);
  });

  it('is refused once it succeeded or failed', async () => {
    const [done, broken] = [await stage.accepted(), await stage.accepted()];
    await stage.run(done);
    await stage.giveUp.run(broken, new Error('no'));
    for (const id of [done, broken]) {
      await expect(stage.cancel.run(stage.actor, id)).rejects.toMatchObject({ code: 'conflict' });
    }
    expect(await stage.balance()).toEqual({ allocation: 100, used: 4 });
  });

  it('finds nothing in other workspaces', async () => {
    const id = await stage.accepted();
    await expect(stage.cancel.run({ workspaceId: 2 }, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(stage.cancel.run(stage.actor, 987)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('giving a generation up', () => {
  it.each([
    [
      new InputFailure('image', new SourceFailure('url_timeout', { retryable: true })),
      { code: 'url_timeout', message: 'the image did not arrive in time' },
    ],
    [
      new ProviderFailure('the prompt was refused', { retryable: false }),
      { code: 'provider_failed', message: 'the prompt was refused' },
    ],
    [
      new DomainError('no_persona', 'the persona was deleted'),
      { code: 'no_persona', message: 'the persona was deleted' },
    ],
    [
      new Error('ENOENT /secret/path'),
      { code: 'internal_error', message: 'the generation could not be completed' },
    ],
    ['not even an error', { code: 'internal_error', message: 'the generation could not be completed' }],
  ])('ends it as failed, says why, and gives its credits back (%#)', async (reason, error) => {
    const stage = new Stage();
    const id = await stage.accepted();
    await stage.giveUp.run(id, reason);
    expect(await stage.view(id)).toMatchObject({ state: 'failed', error, outputs: [] });
    expect(await stage.balance()).toEqual({ allocation: 100, used: 0 });
    expect(stage.reclaimed).toEqual([17, 11]);
  });

  it('leaves alone what has ended, or is not there', async () => {
    const stage = new Stage();
    const id = await stage.accepted();
    await stage.cancel.run(stage.actor, id);
    await stage.giveUp.run(id, new Error('late'));
    await stage.giveUp.run(987, new Error('late'));
    expect(await stage.view(id)).toMatchObject({ state: 'canceled', error: null });
  });
});

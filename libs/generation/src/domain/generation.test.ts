import { describe, expect, it } from '@jest/globals';
import { aGenerationRequest } from '../testing/builders.ts';
import { cancel, fail, isOpen, succeed, succeedTraining, type Queued, type Running } from './generation.ts';

const request = aGenerationRequest();
const queued: Queued = { id: 12, attempt: 0, request, state: 'queued' };
const startedAt = new Date('2026-03-14T10:00:00Z');
const running: Running = { id: 12, attempt: 2, request, state: 'running', startedAt, progress: 0.4 };
const at = new Date('2026-03-14T09:28:00Z');

describe('a generation', () => {
  it('succeeds from running, with its outputs', () => {
    const outputs = [
      {
        fileId: 3,
        contentType: 'image/png',
        width: 4,
        height: 3,
        duration: null,
        label: null,
        score: null,
        thumbnails: [],
      },
    ];
    const succeeded = { id: 12, attempt: 2, state: 'succeeded', outputs, styleFileId: null, cost: 4, finishedAt: at };
    expect(succeed(running, outputs, 4, at)).toEqual(succeeded);
    expect(succeedTraining(running, 7, 4, at)).toEqual({ ...succeeded, outputs: [], styleFileId: 7 });
  });

  it.each([queued, running])('fails or is canceled from queued and from running (%#)', (open) => {
    const ended = { id: 12, attempt: open.attempt, finishedAt: at };
    const error = { code: 'not_an_image', message: 'the input image is not an image' };
    expect(fail(open, error, at)).toEqual({ ...ended, state: 'failed', error });
    expect(cancel(open, at)).toEqual({ ...ended, state: 'canceled' });
  });

  it('is open until it ends', () => {
    expect([queued, running].map(isOpen)).toEqual([true, true]);
    expect([succeed(running, [], 4, at), cancel(queued, at)].map(isOpen)).toEqual([false, false]);
  });
});

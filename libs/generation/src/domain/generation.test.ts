import { describe, expect, it } from '@jest/globals';
import { aGenerationRequest } from '../testing/builders.ts';
import { cancel, fail, isOpen, succeed, type Queued, type Running } from './generation.ts';

const request = aGenerationRequest();
const queued: Queued = { id: 12, attempt: 0, request, state: 'queued' };
const startedAt = new Date('2026-03-14T09:27:00Z');
const running: Running = { id: 12, attempt: 2, request, state: 'running', progress: 0.4, startedAt };
const at = new Date('2026-03-14T09:28:00Z');

describe('a generation', () => {
  it('succeeds from running, with its outputs', () => {
    const output = { fileId: 3, contentType: 'image/png', width: 4, height: 3, duration: null };
    expect(succeed(running, [output], at)).toEqual({
      id: 12,
      attempt: 2,
      request,
      state: 'succeeded',
      outputs: [output],
      startedAt,
      finishedAt: at,
    });
  });

  it('fails from queued or running, with an error', () => {
    const error = { code: 'not_an_image', message: 'the input image is not an image' };
    expect(fail(queued, error, at)).toMatchObject({
      state: 'failed',
      error,
      startedAt: null,
      finishedAt: at,
    });
    expect(fail(running, error, at)).toMatchObject({ state: 'failed', attempt: 2, startedAt });
  });

  it('can be canceled while it is queued or running', () => {
    expect(cancel(queued, at)).toMatchObject({ state: 'canceled', startedAt: null, finishedAt: at });
    expect(cancel(running, at)).toMatchObject({ state: 'canceled', attempt: 2, startedAt });
  });

  it('references no input files once it has ended', () => {
    const image = { key: 'files/7/main.png', fileId: 7 };
    const inputs = { image, styleReference: null };
    const { request: ended } = cancel({ ...queued, request: { ...request, inputs } }, at);
    expect(ended.inputs).toEqual({ image: { ...image, fileId: null }, styleReference: null });
  });

  it('is open until it ends', () => {
    expect([queued, running].map(isOpen)).toEqual([true, true]);
    expect([succeed(running, [], at), cancel(queued, at)].map(isOpen)).toEqual([false, false]);
  });
});

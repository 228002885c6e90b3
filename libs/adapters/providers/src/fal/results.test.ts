import { describe, expect, it } from '@jest/globals';
import type { ModelKind } from '#catalogue';
import { endedBy, failedBy, submissionRefusalOf } from './results.ts';

const file = (name: string) => ({ url: `https://files.example/${name}`, content_type: 'x/y' });
const urlsOf = (state: ReturnType<typeof endedBy>) =>
  state.state === 'ended' && state.outputs.map(({ url }) => url.split('/').at(-1));

describe('the outputs in a result of fal', () => {
  it.each<[string, ModelKind, unknown, string[]]>([
    ['a list of images', 'image', { images: [file('1'), file('2')], seed: 3 }, ['1', '2']],
    ['one image', 'image', { image: file('1') }, ['1']],
    ['an image as its URL alone', 'image', { image: 'https://files.example/1' }, ['1']],
    ['a video, not its preview', 'video', { image: file('0'), video: file('1') }, ['1']],
    ['a mesh', 'model3d', { model_mesh: file('1'), timings: {} }, ['1']],
    ['a GLB before other forms of the model', 'model3d', { model_mesh: file('0'), model_glb: file('1') }, ['1']],
    ['an SVG as an image', 'vector', { images: [file('1')] }, ['1']],
    ['masks, not the picture of all of them', 'mask', { image: file('0'), masks: [file('1'), file('2')] }, ['1', '2']],
    ['files', 'image', { files: [file('1')] }, ['1']],
  ])('are %s', (_, kind, result, expected) => {
    expect(urlsOf(endedBy(result, kind))).toEqual(expected);
  });

  it('have the labels and scores of masks', () => {
    const result = { masks: [file('1'), file('2')], scores: [0.9, null], labels: ['a chair'] };
    expect(endedBy(result, 'mask')).toMatchObject({
      outputs: [
        { label: 'a chair', score: 0.9 },
        { label: null, score: null },
      ],
    });
  });

  it('exclude outputs that a safety checker flagged', () => {
    const images = [file('1'), file('2')];
    expect(urlsOf(endedBy({ images, has_nsfw_concepts: [true, false] }, 'image'))).toEqual(['2']);
    expect(endedBy({ images, has_nsfw_concepts: [true, true] }, 'image')).toMatchObject({
      state: 'failed',
      failure: { code: 'content_rejected', retryable: false },
    });
  });

  it.each([null, 'text', [], {}, { images: [] }, { images: [{ url: 7 }, null] }])('are missing in %j', (result) => {
    const expected = { state: 'failed', failure: { code: 'unusable_output', retryable: false } };
    expect(endedBy(result, 'image')).toMatchObject(expected);
  });
});

const modelError = (type: string) => JSON.stringify({ detail: [{ loc: ['body', 'prompt'], msg: '…', type }] });
const response = (status: number, body: string, headers: Record<string, string> = {}) => ({
  ...{ status, body, headers: new Headers(headers), retryAfterSeconds: null },
});
const platformError = (type: string) => JSON.stringify({ detail: 'It failed', error_type: type });

describe('a refusal in place of a result of fal', () => {
  it.each<[string, number, string, Record<string, string>, string, boolean]>([
    ['of the moderation', 422, modelError('content_policy_violation'), {}, 'content_rejected', false],
    ['of an input', 422, modelError('image_too_large'), {}, 'invalid_input', false],
    ['of an input without details', 422, 'no', {}, 'invalid_input', false],
    ['of a result that has expired', 410, '{"detail":"Gone"}', {}, 'unusable_output', false],
    ['of what was not started in our time', 504, 'no', { 'x-fal-request-timeout-type': 'user' }, 'timed_out', false],
  ])('%s has a code', (_, status, body, headers, code, retryable) => {
    expect(failedBy(response(status, body, headers))).toMatchObject({ state: 'failed', failure: { code, retryable } });
  });

  it.each<[string, number, string, Record<string, string>, string]>([
    ['by a runner that broke', 503, platformError('runner_disconnected'), {}, 'provider_unavailable'],
    ['named by its header', 500, 'no', { 'x-fal-error-type': 'internal_error' }, 'provider_unavailable'],
    ['that may be repeated', 500, modelError('x'), { 'x-fal-retryable': 'true' }, 'provider_unavailable'],
    ['of a result that is not there', 404, '{"detail":"Not found"}', {}, 'unusable_output'],
  ])('%s may pass, and never calls for another submission', (_, status, body, headers, code) => {
    const failure = { code, retryable: false };
    expect(failedBy(response(status, body, headers))).toMatchObject({ state: 'inconclusive', failure });
  });

  it('is a cancel', () => {
    expect(failedBy(response(499, platformError('client_cancelled')))).toEqual({ state: 'canceled' });
  });

  it.each([400, 429, 500, 502, 503])('says nothing about the request if a gateway responds %i', (status) => {
    expect(failedBy(response(status, '<h1>Bad gateway</h1>'))).toBeUndefined();
  });
});

describe('a refusal of a submission to fal', () => {
  it.each<[string, number, string, string | null]>([
    ['an application that is not there', 404, '{"detail":"Application \'fluw\' not found"}', 'unknown_model'],
    ['a path of an application that is not there', 404, '{"detail":"Path /next not found"}', 'unknown_model'],
    ['a server that is not fal', 404, '{"detail":"Not Found"}', null],
    ['a page', 404, '<h1>Application not found</h1>', null],
    ['an input', 422, modelError('image_too_large'), 'invalid_input'],
  ])('is about %s', (_, status, body, code) => {
    expect(submissionRefusalOf(response(status, body))).toBe(code);
  });
});

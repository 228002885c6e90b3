import { readFile, truncate } from 'node:fs/promises';
import { describe, expect, it, jest } from '@jest/globals';
import type { RemoteInput, RemoteTask } from '#generation';
import { aTrainer } from '#testing/catalogue';
import { aRemoteTask, NO_INPUTS } from '#testing/generation';
import { REAL_TIMERS } from '#testing/kernel';
import { temporaryFolder } from '#testing/sources';
import { readZip } from '../../../../../test/support/read-zip.ts';
import { mappedValues, uploadSeconds } from './inputs.ts';

const { fileAt, save } = temporaryFolder();

async function aFile(name: string, contentType = 'image/png'): Promise<RemoteInput> {
  return { file: await save(name, name), contentType, url: null };
}

const aTask = (overrides: Partial<RemoteTask> = {}) => aRemoteTask({ folder: fileAt('.'), ...overrides });

const delivered = async ({ file }: RemoteInput) => readFile(file);

describe('the pictures of a training', () => {
  const training = async () => {
    const names = ['b.png', 'a.png', 'c.png'];
    const pictures = await Promise.all(names.map((name, index) => aFile(name, index ? 'image/png' : 'image/jpeg')));
    return aTask({ model: aTrainer(), inputs: { ...NO_INPUTS, pictures } });
  };

  it('are one zip with their names in their order', async () => {
    const { pictures } = await mappedValues(await training(), delivered);
    expect((await readZip(pictures as Buffer)).map(({ path, bytes }) => [path, bytes.toString()])).toEqual([
      ['001.jpg', 'b.png'],
      ['002.png', 'a.png'],
      ['003.png', 'c.png'],
    ]);
  });

  it('are the same bytes at any time', async () => {
    const zipped = async (now: string) => {
      jest.useFakeTimers({ now: new Date(now), doNotFake: REAL_TIMERS });
      const { pictures } = await mappedValues(await training(), delivered).finally(() => jest.useRealTimers());
      return pictures as Buffer;
    };
    expect((await zipped('2026-11-25T12:00:00Z')).equals(await zipped('2027-01-01T00:00:00Z'))).toBe(true);
  });

  it('are absent from the values of any other task', async () => {
    expect((await mappedValues(aTask(), delivered)).pictures).toBeNull();
  });
});

describe('a style', () => {
  const valuesOf = async (overrides: Partial<RemoteTask>) => {
    const { trigger, style_trigger, style_weights } = await mappedValues(aTask(overrides), delivered);
    return { trigger, style_trigger, style_weights };
  };

  it('gives its word to its training, and word and weights to what uses it', async () => {
    const trainedStyle = { trigger: 'x12a', weights: null };
    expect(await valuesOf({ model: aTrainer(), trainedStyle })).toMatchObject({ trigger: 'x12a', style_weights: null });
    const used = { style_trigger: 'x12a', trigger: undefined };
    const weightsOf = (weights: NonNullable<RemoteTask['trainedStyle']>['weights']) =>
      valuesOf({ trainedStyle: { trigger: 'x12a', weights } });
    expect(await weightsOf({ reference: { id: 7 } })).toEqual({ ...used, style_weights: { id: 7 } });
    expect(await weightsOf({ url: 'https://we.example/w' })).toEqual({
      ...used,
      style_weights: 'https://we.example/w',
    });
    const { file, contentType } = await aFile('weights');
    expect(await weightsOf({ file, contentType })).toEqual({ ...used, style_weights: Buffer.from('weights') });
    expect(await valuesOf({})).toEqual({ trigger: undefined, style_trigger: null, style_weights: null });
  });
});

describe('an upload', () => {
  const MEGABYTE = 1024 * 1024;

  it('has two minutes, and a second more for each megabyte', async () => {
    const input = await aFile('large');
    await truncate(input.file, 60 * MEGABYTE);
    expect(await uploadSeconds(input)).toBe(180);
  });

  it('of more than 100 MB is for vendors only that take files in parts', async () => {
    const input = await aFile('larger');
    await truncate(input.file, 100 * MEGABYTE);
    await uploadSeconds(input);
    await truncate(input.file, 100 * MEGABYTE + 1);
    await expect(uploadSeconds(input)).rejects.toMatchObject({ code: 'provider_misconfigured', retryable: false });
    expect(await uploadSeconds(input, Infinity)).toBeGreaterThan(220);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { StoredUrls } from '#files';
import { SourceFailure, type Sources } from '#sources';
import { aGenerationRequest } from '#testing/generation';
import type { Inputs } from './domain/resolve-inputs.ts';
import { InputFailure } from './failures.ts';
import { InputFiles } from './inputs.ts';

const FOLDER = '/folder';
const urls = new StoredUrls('https://files.example.com');
const stored = (key: string, fileId = 1) => ({ key, fileId });
const elsewhere = (name: string) => ({ url: `https://else.test/${name}`, fileId: null });
const nothing: Inputs = { image: null, style: null, references: [], mask: null, control: null };
const references = [1, 2, 3, 4, 5, 6].map((position) => elsewhere(`${position}.png`));
const every: Inputs = {
  image: elsewhere('image.png'),
  style: elsewhere('style.png'),
  references,
  mask: elsewhere('mask.png'),
  control: elsewhere('control.png'),
};

let openPicture: Sources['openPicture'];
let isPublic: boolean;
const files = new InputFiles({
  urls,
  sources: { openPicture: (picture, folder) => openPicture(picture, folder) },
  publicUrlOf: (key) => (isPublic ? urls.urlOf(key) : null),
});
const open = (inputs: Partial<Inputs>, signal = new AbortController().signal) =>
  files.open(aGenerationRequest({ inputs: { ...nothing, ...inputs } }), FOLDER, signal);

const opened = (url: string, contentType = 'image/png') => {
  return { file: `${FOLDER}/${url.split('/').pop()}`, contentType, width: 8, height: 6 };
};
beforeEach(() => {
  openPicture = async ({ url }) => opened(url);
  isPublic = true;
});

describe('the input pictures of a generation', () => {
  it('are opened each in its place, and the URLs of callers are passed on to no vendor', async () => {
    const picture = (name: string) => ({ file: `${FOLDER}/${name}`, contentType: 'image/png', url: null });
    expect(await open(every)).toEqual({
      image: picture('image.png'),
      style: picture('style.png'),
      references: [1, 2, 3, 4, 5, 6].map((position) => picture(`${position}.png`)),
      mask: picture('mask.png'),
      control: picture('control.png'),
    });
    expect(await open({})).toEqual(nothing);
  });

  it('have the URLs of stored files where the outside can reach them, but of no temporary file or drawing', async () => {
    openPicture = async ({ url }) => opened(url, url.endsWith('.jpg') ? 'image/jpeg' : 'image/png');
    const keys = ['files/a/1.png', 'files/b/2.jpg', 'files/c/x12tmp-3.png', 'files/d/4.svg'];
    const urlsOf = async () =>
      (await open({ references: keys.map((key) => stored(key)) })).references.map(({ url }) => url);
    expect(await urlsOf()).toEqual([urls.urlOf('files/a/1.png'), urls.urlOf('files/b/2.jpg'), null, null]);
    isPublic = false;
    expect(await urlsOf()).toEqual([null, null, null, null]);
  });

  it('are opened three at a time', async () => {
    let [now, most] = [0, 0];
    openPicture = async ({ url }) => {
      most = Math.max(most, ++now);
      await turn();
      now--;
      return opened(url);
    };
    await open(every);
    expect(most).toBe(3);
  });

  it.each<[Partial<Inputs>, string]>([
    [{ image: elsewhere('bad') }, 'the image'],
    [{ style: elsewhere('bad') }, 'the style reference'],
    [{ references: [...references.slice(0, 2), elsewhere('bad')] }, 'the reference 3'],
    [{ mask: elsewhere('bad') }, 'the mask'],
    [{ control: elsewhere('bad') }, 'the control image'],
  ])('are named when one can not be used (%#)', async (inputs, name) => {
    openPicture = async ({ url }) => {
      if (url.endsWith('bad')) throw new SourceFailure('url_too_large', { retryable: false });
      return opened(url);
    };
    const failure: unknown = await open(inputs).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InputFailure);
    expect(failure).toMatchObject({ code: 'url_too_large', message: `${name} is too large`, retryable: false });
  });

  it('are left alone once one has failed: the others are stopped, and waited for', async () => {
    const [started, stopped]: string[][] = [[], []];
    openPicture = async ({ url, signal }) => {
      started!.push(url);
      await turn();
      if (url.endsWith('/style.png')) throw new SourceFailure('not_an_image', { retryable: false });
      while (!signal!.aborted) await turn();
      await turn();
      stopped!.push(url);
      throw signal!.reason;
    };
    await expect(open(every)).rejects.toMatchObject({ code: 'not_an_image' });
    expect(started).toHaveLength(3);
    expect(stopped).toHaveLength(2);
  });

  it('are left alone when the run is stopped, with its reason', async () => {
    const run = new AbortController();
    openPicture = async ({ url, signal }) => {
      run.abort(new Error('stopping'));
      signal!.throwIfAborted();
      return opened(url);
    };
    await expect(open(every, run.signal)).rejects.toThrow('stopping');
  });
});

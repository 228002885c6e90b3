import { beforeEach, describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { StoredUrls } from '#files';
import { SourceFailure, type Sources } from '#sources';
import { aGenerationRequest, NO_INPUTS } from '#testing/generation';
import type { Inputs } from './domain/resolve-inputs.ts';
import { InputFailure } from './failures.ts';
import { InputFiles } from './inputs.ts';

const FOLDER = '/folder';
const urls = new StoredUrls('https://files.example.com');
const stored = (key: string, fileId = 1) => ({ key, fileId });
const elsewhere = (name: string) => ({ url: `https://else.test/${name}`, fileId: null });
const references = [1, 2, 3, 4, 5, 6].map((position) => elsewhere(`${position}.png`));
const every: Inputs = {
  image: elsewhere('image.png'),
  style: elsewhere('style.png'),
  references,
  mask: elsewhere('mask.png'),
  control: elsewhere('control.png'),
  pictures: [],
};

/** Stored bytes by key, and files that were written. */
const objects = new Map<string, string>();
const saved = new Map<string, string>();
let openPicture: Sources['openPicture'];
let isPublic: boolean;
let isMaskEmpty: boolean;
const files = new InputFiles({
  urls,
  sources: { openPicture: (...args) => openPicture(...args), readMask: async () => ({ isEmpty: isMaskEmpty }) },
  publicUrlOf: async (_, key) => (isPublic ? urls.plainUrlOf(key) : null),
  signedUrlOf: async (key) => (isPublic ? `https://signed.example.com/${key}` : null),
  storage: { open: async (key) => (objects.has(key) ? Readable.from([objects.get(key)!]) : null) },
  files: { read: async (key) => (objects.has(key) ? Buffer.from(objects.get(key)!) : null) },
  folders: { save: async (bytes, file) => void saved.set(file, (await (bytes as Readable).toArray()).join('')) },
});
const open = (inputs: Partial<Inputs>, signal = new AbortController().signal) =>
  files.open(aGenerationRequest({ inputs: { ...NO_INPUTS, ...inputs } }), FOLDER, signal);

const opened = (url: string, contentType = 'image/png') => {
  return { file: `${FOLDER}/${url.split('/').pop()}`, contentType, width: 8, height: 6 };
};
beforeEach(() => {
  openPicture = async ({ url }) => opened(url);
  isPublic = true;
  isMaskEmpty = false;
});

describe('the input pictures of a generation', () => {
  it('have no empty mask', async () => {
    isMaskEmpty = true;
    await expect(open(every)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('are opened each in its place, and the URLs of callers are passed on to no vendor', async () => {
    const picture = (name: string) => ({ file: `${FOLDER}/${name}`, contentType: 'image/png', url: null });
    expect(await open(every)).toEqual({
      image: picture('image.png'),
      style: picture('style.png'),
      references: [1, 2, 3, 4, 5, 6].map((position) => picture(`${position}.png`)),
      mask: picture('mask.png'),
      control: picture('control.png'),
      pictures: [],
    });
    expect(await open({})).toEqual(NO_INPUTS);
  });

  it('that a style is trained on are reduced, and never sent by their URLs', async () => {
    const edges: (number | undefined)[] = [];
    openPicture = async ({ url }, _folder, edge) => {
      edges.push(edge);
      return opened(url);
    };
    const { image, pictures } = await open({
      image: stored('files/a/1.png'),
      pictures: [stored('files/b/2.png', 2), elsewhere('3.png')],
    });
    expect([image?.url, ...pictures.map(({ url }) => url)]).toEqual([urls.plainUrlOf('files/a/1.png'), null, null]);
    expect(edges).toEqual([undefined, 1_536, 1_536]);
  });

  it('have the URLs of stored files where the outside can reach them, but of no temporary file or drawing', async () => {
    openPicture = async ({ url }) => opened(url, url.endsWith('.jpg') ? 'image/jpeg' : 'image/png');
    const keys = ['files/a/1.png', 'files/b/2.jpg', 'files/c/x12tmp-3.png', 'files/d/4.svg'];
    const urlsOf = async () =>
      (await open({ references: keys.map((key) => stored(key)) })).references.map(({ url }) => url);
    expect(await urlsOf()).toEqual([urls.plainUrlOf('files/a/1.png'), urls.plainUrlOf('files/b/2.jpg'), null, null]);
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
  ])('are named when one cannot be used (%#)', async (inputs, name) => {
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

describe('the trained style of a generation', () => {
  const key = 'weights/token/generation-1.safetensors';
  const reference = 'weights/token/generation-1.json';
  const using = (weights: string | null) => ({
    trainedStyle: {
      id: 1,
      name: 'Oils',
      trigger: 'x12abcdefgh',
      weights: weights === null ? null : { key: weights, fileId: 1 },
    },
  });
  const { signal } = new AbortController();
  beforeEach(() => {
    objects.clear();
    saved.clear();
    objects.set(key, 'weights').set(reference, '{"reference":{"id":7}}');
  });

  it('goes to a vendor by a signed URL, as a file where vendors cannot fetch it, or as their own reference', async () => {
    const trigger = 'x12abcdefgh';
    expect(await files.styleFor(using(key), FOLDER, signal)).toEqual({
      trigger,
      weights: { url: `https://signed.example.com/${key}` },
    });
    expect(saved.size).toBe(0);
    expect(await files.styleFor(using(reference), FOLDER, signal)).toEqual({
      trigger,
      weights: { reference: { id: 7 } },
    });
    expect(await files.styleFor(using(null), FOLDER, signal)).toEqual({ trigger, weights: null });
    expect(await files.styleFor({ trainedStyle: null }, FOLDER, signal)).toBeNull();
    isPublic = false;
    const file = `${FOLDER}/style`;
    const contentType = 'application/x-safetensors';
    expect(await files.styleFor(using(key), FOLDER, signal)).toEqual({ trigger, weights: { file, contentType } });
    expect(saved.get(file)).toBe('weights');
  });

  it('of the local trainer fails a generation of a vendor', async () => {
    objects.set(reference, '{"format":"x12-local-style"}');
    await expect(files.styleFor(using(reference), FOLDER, signal)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('that is no longer stored fails the generation', async () => {
    objects.clear();
    isPublic = false;
    for (const gone of [key, reference]) {
      await expect(files.styleFor(using(gone), FOLDER, signal)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    await expect(files.openStyle(using(key), FOLDER, signal)).rejects.toThrow('the trained style is no longer stored');
  });
});

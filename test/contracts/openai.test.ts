/** @tier test */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RemoteInput, RemoteProvider, RemoteTask } from '#generation';
import { aModel, modelInputs } from '#testing/catalogue';
import { NO_INPUTS, remoteProviderContract, VENDOR_KEY } from '#testing/generation';
import { temporaryFolder } from '../../libs/sources/src/testing/temporary-folder.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../support/vendors/openai.ts';
import { aTask, providerAt, signal, underTest } from '../support/vendors/vendor-client.ts';

const MODEL = aModel({
  target: 'gpt-image-2.5-flare',
  inputs: modelInputs({ references: 'optional', mask: 'optional' }),
  mapping: {
    prompt: '{prompt}',
    image: ['{image}', '{style}', '{references}'],
    mask: '{mask}',
    n: '{count}',
    size: '{size}',
    output_format: '{format}',
  },
});

remoteProviderContract(
  'openai',
  {
    // The API has no seed; the suite looks for it among the fields.
    model: { ...MODEL, mapping: { ...MODEL.mapping, user: '{seed}' } },
    missing: { ...MODEL, target: 'gpt-image-0' },
    isSynchronous: true,
    finds: false,
    cancels: false,
    hasModeration: true,
    takesUrls: false,
    fails: { code: 'provider_unavailable', retryable: false },
  },
  underTest('openai', startFakeOpenAi),
);

const folder = temporaryFolder();
let fake: FakeOpenAi;
let openai: RemoteProvider;

beforeEach(async () => {
  fake = await startFakeOpenAi({ key: VENDOR_KEY });
  openai = await providerAt('openai', fake.url);
});
afterEach(() => fake.close());

const task = (overrides: Partial<RemoteTask> = {}) => aTask(MODEL, { folder: folder.fileAt('.'), ...overrides });

/** The bytes of the pictures that the call has made. */
async function made(overrides: Partial<RemoteTask> = {}): Promise<readonly Buffer[]> {
  const submitted = await openai.submit(task(overrides), { webhookUrl: null, signal });
  if ('handle' in submitted) throw new Error('OpenAI responds with the pictures');
  expect(submitted.cost).toBeNull();
  return Promise.all(submitted.outputs.map(({ file }) => readFile(file)));
}

async function picture(name: string): Promise<RemoteInput> {
  const file = await folder.save(Buffer.from(name), name);
  return { file, contentType: 'image/png', url: 'https://files.example/public.png' };
}

describe("a call of OpenAI's image API", () => {
  it('generates without inputs', async () => {
    const pictures = await made({ parameters: { count: 2, size: '1536x1024', format: 'png' } });
    const [{ path, fields, outputs }] = fake.submissions as [FakeOpenAi['submissions'][0]];
    expect(path).toBe('generations');
    const format = { size: '1536x1024', output_format: 'png' };
    expect(fields).toEqual({ model: 'gpt-image-2.5-flare', prompt: 'a room', n: 2, ...format });
    expect(pictures).toEqual(outputs.map(({ bytes }) => bytes));
    expect(pictures).toHaveLength(2);
  });

  it('has the request key as its id, by which an operator can ask OpenAI for it', async () => {
    const requestKey = randomUUID();
    await made({ requestKey });
    expect(fake.submissions).toMatchObject([{ requestId: requestKey }]);
  });

  it('edits with every input as a file, in order', async () => {
    const [image, style, first, second, mask] = await Promise.all(
      ['image.png', 'style.png', 'first.png', 'second.png', 'mask.png'].map(picture),
    );
    await made({ inputs: { ...NO_INPUTS, image: image!, style: style!, references: [first!, second!], mask: mask! } });
    const [{ path, fields }] = fake.submissions as [FakeOpenAi['submissions'][0]];
    expect(path).toBe('edits');
    const bytesOf = (name: unknown) => String(fake.upload(name as string));
    expect((fields['image'] as string[]).map(bytesOf)).toEqual(['image.png', 'style.png', 'first.png', 'second.png']);
    expect(bytesOf(fields['mask'])).toBe('mask.png');
    expect(fake.posts).toBe(1);
  });

  it.each([1, 9])('sends one of %i references', async (count) => {
    const names = Array.from({ length: count }, (_, index) => `${index}.png`);
    await made({ inputs: { ...NO_INPUTS, references: await Promise.all(names.map(picture)) } });
    const sent = fake.submissions[0]!.fields['image'] as string[];
    expect(sent.map((name) => String(fake.upload(name)))).toEqual(names);
  });

  it('fetches pictures of models that respond with URLs', async () => {
    const pictures = await made({ model: { ...MODEL, target: 'flux-schnell' }, parameters: { count: 2 } });
    expect(pictures).toEqual(fake.submissions[0]!.outputs.map(({ bytes }) => bytes));
  });

  it('keeps the pictures that came when others were withheld', async () => {
    fake.withhold(1);
    const pictures = await made({ parameters: { count: 3 } });
    expect(pictures).toEqual(fake.submissions[0]!.outputs.slice(1).map(({ bytes }) => bytes));
  });

  it('has no usable output when all were withheld', async () => {
    fake.withhold(2);
    const failing = made({ parameters: { count: 2 } });
    await expect(failing).rejects.toMatchObject({ code: 'unusable_output', retryable: false });
  });

  it('has no usable output when the response is too large, and is not made again', async () => {
    openai = await providerAt('openai', fake.url, { maxOutputBytes: 10 });
    await expect(made()).rejects.toMatchObject({
      name: 'ProviderFailure',
      code: 'unusable_output',
      message: "the provider's response is too large to be read",
      retryable: false,
    });
    expect(fake.posts).toBe(1);
  });

  it('works with a server that needs no key', async () => {
    const open = await startFakeOpenAi();
    try {
      const own = await providerAt('openai', open.url, { key: null });
      await expect(own.submit(task(), { webhookUrl: null, signal })).resolves.toHaveProperty('outputs');
    } finally {
      await open.close();
    }
  });
});

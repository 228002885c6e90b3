import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRemoteProvider, guardProvider, type Circuit } from '#adapters/providers';
import type { RemoteInput, RemoteProvider, RemoteTask } from '#generation';
import { aModel, asSubmitted, modelInputs } from '#testing/generation';
import { startFakeReplicate, type FakeReplicate } from '../support/vendors/replicate.ts';

const model = aModel({
  target: 'owner/name',
  inputs: modelInputs({ references: 'optional', maxReferences: 6 }),
  parameters: { seed: { type: 'integer' } },
  mapping: { prompt: '{prompt}', seed: '{seed}', image: '{image}', images: ['{references}'] },
});
const { signal } = new AbortController();
const options = { webhookUrl: null, signal };

describe('The list of predictions at Replicate', () => {
  let folder: string;
  let vendor: FakeReplicate;
  let provider: RemoteProvider;
  let circuits: Circuit[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'replicate-list-'));
    vendor = await startFakeReplicate();
    const limits = { maxConcurrent: 2, submissionsPerMinute: null };
    const settings = { id: 'replicate', type: 'replicate', baseUrl: vendor.url, key: 'k', ...limits };
    circuits = [];
    provider = guardProvider(
      await createRemoteProvider(settings, { allowedHosts: [], maxOutputBytes: 1_000_000 }),
      settings,
      { countSubmission: async () => 0, onCircuit: (_, circuit) => circuits.push(circuit) },
    );
  });
  afterEach(async () => {
    await vendor.close();
    await rm(folder, { recursive: true });
  });

  const aPicture = async (bytes: number): Promise<RemoteInput> => {
    const file = join(folder, randomUUID());
    await writeFile(file, randomBytes(bytes));
    return { file, contentType: 'image/png', url: null };
  };
  const aTask = async (bytes: number): Promise<RemoteTask> => {
    const [image, ...references] = await Promise.all(Array.from({ length: 7 }, () => aPicture(bytes)));
    const inputs = { image: image!, style: null, references, mask: null, control: null, pictures: [] };
    const parameters = { seed: Math.floor(Math.random() * 1e9) };
    return { requestKey: randomUUID(), model, prompt: 'a fox', parameters, inputs, trainedStyle: null, folder };
  };
  const listBytes = async () => (await (await fetch(`${vendor.url}/predictions`)).arrayBuffer()).byteLength;
  /** A prediction of another program with the same account. */
  const predict = (input: object) =>
    fetch(`${vendor.url}/models/owner/other/predictions`, { method: 'POST', body: JSON.stringify({ input }) });

  it.each([1_000, 4_096, 4_097, 250 * 1024])('has little of seven pictures of %s bytes each', async (bytes) => {
    await provider.submit(await aTask(bytes), options);
    // A hundred of these are a page, of which 4 MiB are read.
    expect(await listBytes()).toBeLessThan((4 * 1024 * 1024) / 100);
  });

  it('reads its predictions although others have large pictures', async () => {
    const since = new Date();
    const [lost, absent] = [await aTask(1_000), await aTask(1_000)];
    const { handle } = (await provider.submit(lost, options)) as { handle: object };
    const picture = `data:image/png;base64,${randomBytes(256 * 1024).toString('base64')}`;
    for (let count = 0; count < 3; count++) await predict({ images: Array.from({ length: 7 }, () => picture) });
    expect(await listBytes()).toBeGreaterThan(7_000_000);
    expect(await provider.find(await asSubmitted(lost), since, signal)).toEqual({ handle });
    expect(await provider.find(await asSubmitted(absent), since, signal)).toBe('absent');
  });

  it('that can not be read is asked for again later, and Replicate does not count as down', async () => {
    const [lost, since] = [await aTask(1_000), new Date()];
    await predict(Object.fromEntries(Array.from({ length: 100 }, (_, name) => [name, 'x'.repeat(60_000)])));
    for (let asked = 0; asked < 10; asked++) {
      await expect(provider.find(await asSubmitted(lost), since, signal)).rejects.toMatchObject({
        code: 'unusable_output',
        retryable: true,
      });
    }
    expect(circuits).toEqual([]);
    expect(await provider.submit(lost, options)).toMatchObject({ handle: {} });
  });
});

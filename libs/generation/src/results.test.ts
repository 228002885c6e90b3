import { describe, expect, it } from '@jest/globals';
import { NOTHING_SEEN } from '#files';
import { plainUrlsAt } from '#testing/files';
import { aGenerationRequest } from '#testing/generation';
import type { GenerationView, OutputView } from './ports.ts';
import { GenerationResults } from './results.ts';

const PNG = { ...NOTHING_SEEN, name: 'mask', contentType: 'image/png', width: 8, height: 6 };

/** The output that callers get of a generation of masks, each of so many bytes; `null` for one whose bytes are gone. */
async function masksOf(sizes: readonly (number | null)[]) {
  const outputs = sizes.map((_, index): OutputView => {
    return { ...PNG, index, fileId: index + 1, key: `files/${index}/mask.png`, label: `thing ${index}`, score: 0.5 };
  });
  const view = { id: 12, request: aGenerationRequest({ kind: 'mask' }), state: 'succeeded', progress: 1, outputs };
  const read = async (key: string, maxBytes: number) => {
    const size = sizes[Number(key.split('/')[1])] ?? Infinity;
    return size > maxBytes ? null : Buffer.alloc(size, 1);
  };
  const views = { get: async () => ({ ...view, error: null, startedAt: null, finishedAt: null }) as GenerationView };
  const results = new GenerationResults(views, { of: async () => plainUrlsAt('https://files.example.com') }, { read });
  return (await results.get(1, 12)).output as readonly { label: string; score: number; mask: string }[];
}

describe('the results of a generation of masks', () => {
  it('are the masks with their labels and scores, as data URIs, also when there is one', async () => {
    const mask = `data:image/png;base64,${Buffer.alloc(4, 1).toString('base64')}`;
    expect(await masksOf([4])).toEqual([{ label: 'thing 0', score: 0.5, mask }]);
    expect(await masksOf([4, 4])).toHaveLength(2);
  });

  it('are the first 20', async () => {
    const labels = (await masksOf(Array<number>(21).fill(4))).map(({ label }) => label);
    expect([labels.length, labels.at(-1)]).toEqual([20, 'thing 19']);
  });

  it('are URLs where the bytes are gone, or would make more than 8 MiB', async () => {
    const MIB = 1024 * 1024;
    const schemes = (await masksOf([null, 5 * MIB, 3 * MIB, 1])).map(({ mask }) => mask.split(':')[0]);
    expect(schemes).toEqual(['https', 'data', 'data', 'https']);
  });
});

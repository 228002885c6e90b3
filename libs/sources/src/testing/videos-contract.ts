import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import type { Videos } from '../ports.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** @param makeVideo makes a video that the tested `Videos` can read */
export function videosContract(
  name: string,
  makeVideos: () => Videos,
  makeVideo: (video: { width: number; height: number; seconds: number }) => Promise<Buffer>,
): void {
  describe(`${name} as Videos`, () => {
    const videos = makeVideos();
    const { fileAt, save, list } = temporaryFolder();

    const preview = async (bytes: Buffer, edges: readonly number[]) => {
      const targets = edges.map((edge) => ({ edge, file: fileAt(`thumbnail-${edge}`) }));
      return (await videos.preview(await save(bytes, 'video'), targets))!;
    };

    it('returns size and duration, and makes thumbnails in the order of the targets, enlarging none', async () => {
      const video = await makeVideo({ width: 320, height: 160, seconds: 2 });
      const { width, height, duration, thumbnails, placeholder } = await preview(video, [40, 80, 321]);
      expect([width, height]).toEqual([320, 160]);
      expect(duration).toBeCloseTo(2, 1);
      expect(thumbnails).toEqual([
        { file: fileAt('thumbnail-40'), width: 40, height: 20 },
        { file: fileAt('thumbnail-80'), width: 80, height: 40 },
        { file: fileAt('thumbnail-321'), width: 320, height: 160 },
      ]);
      expect(await list()).toEqual(['thumbnail-321', 'thumbnail-40', 'thumbnail-80', 'video']);
      expect(Buffer.from(placeholder, 'base64').length).toBeGreaterThan(4);
    });

    it.each<[string, (video: Buffer) => Buffer]>([
      ['an empty file', () => Buffer.alloc(0)],
      ['text', () => Buffer.from('a thousand words, none of them a film')],
      ['a video that breaks off', (video) => video.subarray(0, -3)],
    ])('refuses %s for good', async (_what, spoil) => {
      const video = await makeVideo({ width: 64, height: 32, seconds: 1 });
      const failure = await preview(spoil(video), [8, 16]).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(DomainError);
      expect(failure).toMatchObject({ code: 'unsupported_file_type' });
      expect(await list()).toEqual(['video']);
    });
  });
}

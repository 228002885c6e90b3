import { describe, expect, it } from '@jest/globals';
import type { DownloadedFile } from '#download';
import type { Share } from './domain/share.ts';
import { GuestDownloads } from './guest-downloads.ts';
import type { Visit } from './guests.ts';

const file = { id: 1, key: 'files/a/fox.png', filename: 'fox.png', folders: [], size: 1, createdAt: new Date() };

/** The downloads of a link that shows so many files. */
function showing(count: number) {
  const all: readonly DownloadedFile[] = Array.from({ length: count }, () => file);
  return new GuestDownloads(
    { files: async (_share, _mediaIds, limit) => all.slice(0, limit) },
    {
      async *stream(files) {
        yield Buffer.from(String(files.length));
      },
    },
  );
}

const visit = (...allow: Share['allow']): Visit => ({ share: { allow } as Share, guest: null });

async function zipOf(downloads: GuestDownloads): Promise<string> {
  let text = '';
  for await (const chunk of await downloads.open(visit('download'), null)) text += String(chunk);
  return text;
}

describe('the zip of a link', () => {
  it('has 1 to 10,000 files, all of them', async () => {
    for (const count of [1, 10_000]) expect(await zipOf(showing(count))).toBe(String(count));
    await expect(zipOf(showing(0))).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringMatching(/no files/),
    });
    await expect(zipOf(showing(10_001))).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringMatching(/more than 10000 files/),
    });
  });

  it('is made only where the link allows downloads', async () => {
    await expect(showing(1).open(visit('comment'), null)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

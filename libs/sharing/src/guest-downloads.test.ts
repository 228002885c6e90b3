import { describe, expect, it } from '@jest/globals';
import type { Share } from './domain/share.ts';
import { GuestDownloads } from './guest-downloads.ts';
import type { Visit } from './guests.ts';
import type { SharedFile } from './ports.ts';

const names = { name: 'red fox', filename: 'fox.png' };
const where = { folders: [], createdAt: new Date(), digitalSource: null };
const file = { id: 1, mediaId: 1, key: 'files/a/fox.png', ...names, ...where };

const showing = (count: number) => showingFiles(Array.from({ length: count }, () => file));

/** The downloads of a link that shows these files; `requested` gets the items whose pictures are to be made. */
function showingFiles(all: readonly SharedFile[], requested: number[] = []) {
  return new GuestDownloads(
    { files: async (_share, _mediaIds, limit) => all.slice(0, limit) },
    {
      async *stream(files) {
        yield Buffer.from(String(files.length));
      },
    },
    { request: async (_share, mediaIds) => void requested.push(...mediaIds) },
    { run: (work) => work() },
  );
}

const visit = (...allow: Share['allow']): Visit => ({ share: { allow } as Share, guest: null });

async function zipOf(downloads: GuestDownloads): Promise<string> {
  let text = '';
  for await (const chunk of await downloads.open(visit('download'), null)) text += String(chunk);
  return text;
}

describe('the zip of a link', () => {
  it('has 10,000 files at most, all of them', async () => {
    expect(await zipOf(showing(10_000))).toBe('10000');
    await expect(zipOf(showing(10_001))).rejects.toThrow('more than 10000 files');
  });

  it('has pictures made that are missing', async () => {
    const requested: number[] = [];
    const unmade = { ...file, mediaId: 2, key: null };
    expect(await zipOf(showingFiles([file, unmade], requested))).toBe('2');
    expect(requested).toEqual([2]);
  });

  it('is made only where the link allows downloads', async () => {
    await expect(showing(1).open(visit('comment'), null)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

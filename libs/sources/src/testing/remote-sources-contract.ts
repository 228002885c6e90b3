import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SourceFailure } from '../domain/source-failure.ts';
import type { RemoteSources } from '../ports.ts';

/** A source as the suite needs it, and the URL under which the sources at test find it. */
export interface SourceWorld {
  readonly sources: RemoteSources;
  /** A URL that is answered with these bytes. */
  serve(bytes: Buffer): string;
  /** A URL that is answered with this status in place of a file. */
  refuse(status: number): string;
  /** A URL that starts to answer and never ends. */
  hang(): string;
  /** A URL of a place to which strangers' URLs must not lead. */
  readonly forbidden: string;
  close(): Promise<void>;
}

export function remoteSourcesContract(name: string, make: () => Promise<SourceWorld>): void {
  describe(`${name} as RemoteSources`, () => {
    let world: SourceWorld;
    let folder: string;
    let target: string;

    beforeAll(async () => {
      world = await make();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'x12-sources-'));
      target = join(folder, 'source');
    });
    afterEach(() => rm(folder, { recursive: true }));

    const failureOf = async (url: string, maxBytes = 1_000): Promise<SourceFailure> => {
      const fetched = world.sources.fetchToFile(url, target, { maxBytes });
      const failure = await fetched.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SourceFailure);
      expect(await readdir(folder)).toEqual([]);
      return failure as SourceFailure;
    };

    it('writes what the source answers, and says how much it was', async () => {
      const bytes = Buffer.from('a picture, for all that is known here');
      const url = world.serve(bytes);
      await expect(world.sources.fetchToFile(url, target, { maxBytes: 1_000 })).resolves.toBe(bytes.length);
      await expect(readFile(target)).resolves.toEqual(bytes);
    });

    it('writes an empty answer as an empty file', async () => {
      const url = world.serve(Buffer.alloc(0));
      await expect(world.sources.fetchToFile(url, target, { maxBytes: 1_000 })).resolves.toBe(0);
      await expect(readFile(target)).resolves.toHaveLength(0);
    });

    it('takes as many bytes as allowed and not one more', async () => {
      const url = world.serve(Buffer.alloc(1_000, 'x'));
      await expect(world.sources.fetchToFile(url, target, { maxBytes: 1_000 })).resolves.toBe(1_000);
      await rm(target);
      expect(await failureOf(url, 999)).toMatchObject({ code: 'url_too_large', retryable: false });
    });

    it('goes nowhere it must not, and does not try again', async () => {
      expect(await failureOf(world.forbidden)).toMatchObject({ code: 'url_blocked', retryable: false });
    });

    it.each(['', 'a.png', 'ftp://example.com/a.png', 'data:image/png;base64,AA==', 'file:///etc/passwd'])(
      'takes no other URLs than those of the web: %j',
      async (url) => {
        expect(await failureOf(url)).toMatchObject({ code: 'url_blocked', retryable: false });
      },
    );

    it('tries again when the source is busy or broken for now, and not when it has no such file', async () => {
      const statuses = { true: [429, 500, 503], false: [204, 206, 401, 404, 410] };
      for (const retryable of [true, false]) {
        for (const status of statuses[`${retryable}`]) {
          expect(await failureOf(world.refuse(status))).toMatchObject({ code: 'url_unreachable', retryable });
        }
      }
    });

    it('gives up a source that takes too long', async () => {
      expect(await failureOf(world.hang())).toMatchObject({ code: 'url_timeout', retryable: true });
    });

    it('stops when it is told to, for the reason it is told', async () => {
      const reason = new Error('the worker stops');
      const stop = new AbortController();
      const options = { maxBytes: 1_000, signal: stop.signal };
      const fetched = world.sources.fetchToFile(world.hang(), target, options);
      stop.abort(reason);
      await expect(fetched).rejects.toBe(reason);
      await expect(world.sources.fetchToFile(world.hang(), target, options)).rejects.toBe(reason);
      expect(await readdir(folder)).toEqual([]);
    });
  });
}

/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SourceFailure, type Look } from '#sources';
import { DomainError } from '#kernel';
import { LibraryCompletion, type UnseenItem } from '#library';
import { ManualClock } from '#testing/kernel';
import { LibraryStage } from '../support/library-stage.ts';

const LOOK: Look = { colors: [1, 2], shape: '10'.repeat(32) };

let clock: ManualClock;
const stage = await LibraryStage.open();
afterAll(() => stage.db.drop());
beforeEach(async () => {
  clock = new ManualClock(new Date());
  await stage.clear();
  await stage.db.query(
    'update library_filling set passes_left = 2, starts_at = to_timestamp(0), before_id = 9007199254740991',
  );
});

const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
const uploads = async (count: number) => {
  for (let index = 0; index < count; index++) await stage.file('upload');
};

describe('older files', () => {
  it('are added in batches, each once, whatever workers run at once', async () => {
    await uploads(25);
    const all = await Promise.all(Array.from({ length: 4 }, () => stage.work.addOlder(later(0), 5)));
    expect(Math.max(...all)).toBe(5);
    while ((await stage.work.addOlder(later(0), 5)) > 0);
    expect(await stage.find({})).toHaveLength(25);
  });

  it('are added from where a worker died', async () => {
    await uploads(12);
    const died = stage.db.database.transaction(async () => {
      await stage.work.addOlder(later(0), 5);
      throw new Error('died');
    });
    await expect(died).rejects.toThrow('died');
    expect(await stage.find({})).toEqual([]);
    while ((await stage.work.addOlder(later(0), 5)) > 0);
    expect(await stage.find({})).toHaveLength(12);
  });

  it('are added once more an hour later, for what a process of the version before has added', async () => {
    await uploads(2);
    await stage.work.addOlder(later(0), 5);
    await uploads(1);
    expect(await stage.work.addOlder(later(3_500), 5)).toBe(0);
    expect(await stage.find({})).toHaveLength(2);
    expect(await stage.work.addOlder(later(3_700), 5)).toBe(3);
    expect(await stage.find({})).toHaveLength(3);
    expect(await stage.work.addOlder(later(999_999), 5)).toBe(0);
  });
});

describe('items without a look', () => {
  const claim = (at = 0) => stage.work.claimUnseen(later(at), later(at + 300), 10);

  it('are claimed by one worker, newest first, and are due again when it dies', async () => {
    const files = [await stage.upload(), await stage.upload(), await stage.upload()];
    const claimed = await Promise.all([claim(), claim(), claim()]);
    expect(claimed.flat().map(({ fileId }) => fileId)).toHaveLength(3);
    expect(await claim(299)).toEqual([]);
    expect((await claim(301)).map(({ fileId }) => fileId).sort()).toEqual(files);
  });

  it('are not claimed again once they were seen, or have no picture', async () => {
    const [one, two] = [await stage.upload(), await stage.upload()];
    await stage.work.saveSeen(one, { look: LOOK, placeholder: 'AAAA', width: 3, height: 4 });
    await stage.work.saveSeen(two, null);
    expect(await claim(999)).toEqual([]);
    const item = await stage.views.item(stage.workspace.workspaceId, one);
    expect(item).toMatchObject({ colors: [1, 2], placeholder: 'AAAA', width: 3, height: 4 });
  });

  it('are not claimed while they are in the trash', async () => {
    const file = await stage.upload();
    await stage.db.query(
      `with entry as (insert into trash (workspace_id, kind, item_id, deleted_by, deleted_at, expires_at)
       values ($1, 'persona', 1, $2, now(), now()) returning id) update files set deletion_id = entry.id from entry`,
      [stage.workspace.workspaceId, stage.workspace.userId],
    );
    expect(await claim()).toEqual([]);
    await stage.db.query('update files set deletion_id = null');
    expect((await claim()).map(({ fileId }) => fileId)).toEqual([file]);
  });
});

describe('the completion of the library', () => {
  /** @param failing why each file can't be read, by id */
  function completion(failing: ReadonlyMap<number, Error> = new Map(), opened: UnseenItem['key'][] = []) {
    let current = '';
    const keys = new Map<string, number>();
    const deps = {
      work: {
        addOlder: (now: Date, limit: number) => stage.work.addOlder(now, limit),
        claimUnseen: async (...claim: Parameters<typeof stage.work.claimUnseen>) => {
          const items = await stage.work.claimUnseen(...claim);
          for (const { key, fileId } of items) keys.set(key, fileId);
          return items;
        },
        saveSeen: (...seen: Parameters<typeof stage.work.saveSeen>) => stage.work.saveSeen(...seen),
      },
      storage: { open: async (key: string) => (opened.push((current = key)), { key } as never) },
      derived: {
        preview: async () => {
          const error = failing.get(keys.get(current)!);
          if (error) throw error;
          return { look: LOOK, placeholder: 'AAAA', width: 3, height: 4, thumbnails: [] };
        },
      },
      folders: { use: <T>(work: (folder: string) => Promise<T>) => work('/nowhere'), save: async () => {} } as never,
      clock,
      maxBytes: 10,
    };
    return new LibraryCompletion(deps);
  }
  const run = (...of: Parameters<typeof completion>) => completion(...of).sweep(new AbortController().signal);
  const colors = async (file: number) => (await stage.views.item(stage.workspace.workspaceId, file))!.colors;

  it('adds older files and takes their looks', async () => {
    await uploads(20);
    expect(await run()).toBe(40);
    for (const file of await stage.find({})) expect(await colors(file)).toEqual([1, 2]);
    expect(await run()).toBe(0);
  });

  it('leaves alone what is no picture, too large or gone', async () => {
    const [broken, large] = [await stage.upload(), await stage.upload()];
    await stage.db.query('update files set size = 11 where id = $1', [large]);
    await run(new Map([[broken, new SourceFailure('not_an_image', { retryable: false })]]));
    expect([await colors(broken), await colors(large)]).toEqual([[], []]);
    const opened: string[] = [];
    clock.advance(999);
    await run(new Map(), opened);
    expect(opened).toEqual([]);
  });

  it('goes on with the others when one fails, and tries that one again later', async () => {
    const [well, failing] = [await stage.upload(), await stage.upload()];
    const away = new DomainError('unavailable', 'the storage is away');
    await expect(run(new Map([[failing, away]]))).rejects.toThrow('the storage is away');
    expect([await colors(well), await colors(failing)]).toEqual([[1, 2], []]);
    clock.advance(301);
    await run();
    expect(await colors(failing)).toEqual([1, 2]);
  });
});

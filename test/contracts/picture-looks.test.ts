/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NOTHING_SEEN, type Look } from '#files';
import { DomainError } from '#kernel';
import { PictureLooks, SourceFailure } from '#sources';
import { ManualClock } from '#testing/kernel';
import { LibraryStage } from '../support/library-stage.ts';
import { inRounds } from '../support/rounds.ts';

const LOOK: Look = { colors: [1, 2], shape: '10'.repeat(32) };
const SEEN = { ...NOTHING_SEEN, look: LOOK, placeholder: 'AAAA', width: 3, height: 4 };

let clock: ManualClock;
const stage = await LibraryStage.open();
afterAll(() => stage.db.drop());
beforeEach(async () => {
  clock = new ManualClock(new Date());
  await stage.clear();
});

/** Read once: each try doubles the wait, and with it a millisecond between two readings of the clock. */
const START = Date.now();
const later = (seconds: number) => new Date(START + seconds * 1000);

describe('pictures that nobody has looked at', () => {
  const claim = (at = 0) => stage.records.claimUnseen(later(at), later(at + 300), 10);

  it('are claimed by one worker, newest first, and are due again when it dies', async () => {
    const files = [await stage.upload(), await stage.upload(), await stage.upload()];
    const claimed = await Promise.all([claim(), claim(), claim()]);
    expect(claimed.flat().map(({ id }) => id)).toHaveLength(3);
    expect(await claim(299)).toEqual([]);
    expect((await claim(301)).map(({ id }) => id).sort()).toEqual(files);
  });

  it('are not claimed again once they were seen, or have no picture', async () => {
    const [one, two] = [await stage.upload(), await stage.upload()];
    await stage.records.saveSeen(one, SEEN);
    await stage.records.saveSeen(two, NOTHING_SEEN);
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
    expect((await claim()).map(({ id }) => id)).toEqual([file]);
  });

  it('are tried nine times, with twice the time between, and then no more', async () => {
    const file = await stage.upload();
    const waits: number[] = [];
    for (let at = 0, wait = 300; waits.length < 9; at += wait, wait *= 2) {
      if (at > 0) expect(await claim(at - 60)).toEqual([]);
      waits.push((await claim(at)).length);
    }
    expect([waits, await claim(99_999_999)]).toEqual([Array(9).fill(1), []]);
    await stage.refill();
    expect(await stage.work.addOlder(later(1), 10)).toBe(1);
    expect([await claim(99_999_999), (await stage.views.item(stage.workspace.workspaceId, file))!.thumbnails]).toEqual([
      [],
      [],
    ]);
  });
});

describe('thumbnails', () => {
  /** Two files, as thumbnails of which nobody knows the picture yet. */
  const pair = async () => {
    const ids = [await stage.file('output'), await stage.file('output')];
    const rows = await stage.db.query<{ key: string }>('select key from files where id = any($1) order by id', [ids]);
    return rows.map(({ key }, at) => ({ key, width: [320, 1024][at]!, height: 200 }));
  };
  const widths = async (file: number) =>
    (await stage.views.item(stage.workspace.workspaceId, file))!.thumbnails.map(({ width }) => width);

  it('are saved once, whoever is late', async () => {
    await inRounds(async () => {
      const file = await stage.upload();
      const pairs = [await pair(), await pair()];
      const saved = await Promise.all(pairs.map((thumbnails) => stage.records.saveSeen(file, { ...SEEN, thumbnails })));
      expect(saved.toSorted()).toEqual([false, true]);
      expect(await widths(file)).toEqual([320, 1024]);
      const used = pairs[saved.indexOf(true)]!.map(({ key }) => key);
      const linked = await stage.db.query<{ key: string }>('select key from files where picture_id = $1', [file]);
      expect(linked.map(({ key }) => key).toSorted()).toEqual(used.toSorted());
    });
  });

  it('are not saved for a file that was deleted meanwhile', async () => {
    const file = await stage.upload();
    const thumbnails = await pair();
    await stage.db.query('delete from files where id = $1', [file]);
    expect(await stage.records.saveSeen(file, { ...SEEN, thumbnails })).toBe(false);
  });

  it('are due for the sweep once their picture is gone', async () => {
    const file = await stage.upload();
    await stage.records.saveSeen(file, { ...SEEN, thumbnails: await pair() });
    const due = () => stage.db.query('select id from files where review_at <= now()');
    expect(await due()).toEqual([]);
    await stage.db.query('delete from files where id = $1', [file]);
    expect(await due()).toHaveLength(2);
  });
});

describe('a look', () => {
  /** @param failing why each file can't be read, by id */
  function looks(failing: ReadonlyMap<number, Error> = new Map(), opened: string[] = []) {
    let current = '';
    const keys = new Map<string, number>();
    return new PictureLooks({
      records: {
        claimUnseen: async (...claim: Parameters<typeof stage.records.claimUnseen>) => {
          const files = await stage.records.claimUnseen(...claim);
          for (const { key, id } of files) keys.set(key, id);
          return files;
        },
        saveSeen: (...seen: Parameters<typeof stage.records.saveSeen>) => stage.records.saveSeen(...seen),
      },
      storage: { open: async (key: string) => (opened.push((current = key)), { key } as never) },
      derived: {
        preview: async () => {
          const error = failing.get(keys.get(current)!);
          if (error) throw error;
          return { ...SEEN, thumbnails: [] };
        },
        complete: async (_file, preview, _signal, save) => {
          const thumbnails = [320, 1024].map((width) => ({ key: `files/${width}/a.webp`, width, height: 200 }));
          await save({ ...NOTHING_SEEN, ...preview, thumbnails });
        },
      },
      folders: { use: <T>(work: (folder: string) => Promise<T>) => work('/nowhere'), save: async () => {} } as never,
      clock,
      maxBytes: 10,
    });
  }
  const run = (...of: Parameters<typeof looks>) => looks(...of).sweep(new AbortController().signal);
  const colors = async (file: number) => (await stage.views.item(stage.workspace.workspaceId, file))!.colors;

  it('finds the facts of a picture, and makes its thumbnails, once', async () => {
    for (let files = 0; files < 20; files++) await stage.upload();
    expect(await run()).toBe(20);
    for (const file of await stage.find({})) {
      const item = (await stage.views.item(stage.workspace.workspaceId, file))!;
      expect(item).toMatchObject({ width: 3, height: 4, placeholder: 'AAAA', colors: [1, 2] });
      expect(item.thumbnails.map(({ width }) => width)).toEqual([320, 1024]);
    }
    expect(await run()).toBe(0);
  });

  it('at what lacks only its colours reads the smallest thumbnail', async () => {
    const file = await stage.upload();
    const thumbnails = [{ key: 'files/small/a.webp', width: 320, height: 200 }];
    await stage.records.saveSeen(file, { ...NOTHING_SEEN, width: 1600, height: 1000, thumbnails });
    await stage.db.query('update files set look_due_at = created_at');
    const opened: string[] = [];
    await run(new Map(), opened);
    expect(opened).toEqual(['files/small/a.webp']);
    const item = await stage.views.item(stage.workspace.workspaceId, file);
    expect(item).toMatchObject({ width: 1600, height: 1000, thumbnails, colors: [1, 2], placeholder: 'AAAA' });
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

/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SourceFailure, type Look } from '#sources';
import { DomainError } from '#kernel';
import { LibraryCompletion, type UnseenItem } from '#library';
import { ManualClock } from '#testing/kernel';
import type { StoredFile } from '#files';
import { LibraryStage } from '../support/library-stage.ts';
import { inRounds } from '../support/rounds.ts';

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
    await stage.work.saveSeen(one, { look: LOOK, placeholder: 'AAAA', width: 3, height: 4, thumbnails: [] });
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
  const seen = (...fileIds: number[]) => {
    const thumbnails = fileIds.map((fileId, at) => ({ fileId, width: [320, 1024][at]!, height: 200 }));
    return { look: LOOK, placeholder: 'AAAA', width: 3, height: 4, thumbnails };
  };
  const pair = async (): Promise<[number, number]> => [await stage.file('output'), await stage.file('output')];
  const widths = async (file: number) =>
    (await stage.views.item(stage.workspace.workspaceId, file))!.thumbnails.map(({ width }) => width);
  const claim = () => stage.work.claimUnseen(later(9), later(300), 10);
  const fillAgain = async () => {
    await stage.refill();
    while ((await stage.work.addOlder(later(1), 10)) > 0);
  };

  it('are saved once, whoever is late', async () => {
    await inRounds(async () => {
      const file = await stage.upload();
      const pairs = [await pair(), await pair()];
      const saved = await Promise.all(pairs.map((ids) => stage.work.saveSeen(file, seen(...ids))));
      expect(saved.toSorted()).toEqual([false, true]);
      expect(await widths(file)).toEqual([320, 1024]);
    });
  });

  it('are not saved for a file that was deleted meanwhile', async () => {
    const file = await stage.upload();
    const ids = await pair();
    await stage.db.query('delete from files where id = $1', [file]);
    expect(await stage.work.saveSeen(file, seen(...ids))).toBe(false);
  });

  it('are made for older items that could be read and have none', async () => {
    const [old, made, broken, output] = [
      await stage.upload({ look: LOOK }),
      await stage.upload(),
      await stage.upload(),
      await stage.output({ look: LOOK }),
    ];
    await stage.work.saveSeen(made, seen(...(await pair())));
    await stage.work.saveSeen(broken, null);
    await stage.db.query(
      `insert into generation_thumbnails (generation_id, position, file_id, width, height)
       select generation_id, position, $2, 320, 240 from generation_outputs where file_id = $1`,
      [output, await stage.file('output')],
    );
    await fillAgain();
    expect((await claim()).map(({ fileId, thumbnailKey }) => [fileId, thumbnailKey])).toEqual([[old, null]]);
  });

  it('of a media item are those of its file, which has no others', async () => {
    const file = await stage.file('import');
    const [small] = [await stage.file('import')];
    await stage.db.query(
      `with board as (insert into boards (workspace_id, created_by, name, created_at)
         values ($1, $2, 'Board', now()) returning id),
       item as (insert into media (board_id, created_by, state, file_key, thumbnails, created_at)
         select board.id, $2, 'processed', file.key,
           jsonb_build_array(jsonb_build_object('key', small.key, 'width', 320, 'height', 200)), now()
         from board, files file, files small where file.id = $3 and small.id = $4 returning id)
       insert into media_files (media_id, file_id) select item.id, unnest(array[$3, $4]::bigint[]) from item`,
      [stage.workspace.workspaceId, stage.workspace.userId, file, small],
    );
    await fillAgain();
    expect(await widths(file)).toEqual([320]);
    expect((await claim()).map(({ fileId, thumbnailKey }) => [fileId, thumbnailKey === null])).toEqual([[file, false]]);
    await stage.db.query('delete from media');
    expect(await widths(file)).toEqual([320]);
  });
});

describe('the completion of the library', () => {
  /** @param failing why each file can't be read, by id */
  function completion(failing: ReadonlyMap<number, Error> = new Map(), opened: UnseenItem['key'][] = []) {
    let current = '';
    const keys = new Map<string, number>();
    const deps: ConstructorParameters<typeof LibraryCompletion>[0] = {
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
          const thumbnails = [320, 1024].map((width) => ({ file: `/nowhere/${width}`, width, height: 200 }));
          return { look: LOOK, placeholder: 'AAAA', width: 3, height: 4, thumbnails };
        },
        together: async (_owner, _signal, work) => work(async () => ({ id: await stage.file('output') }) as StoredFile),
        discard: async () => {},
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
    for (const file of await stage.find({})) {
      expect(await colors(file)).toEqual([1, 2]);
      const { thumbnails } = (await stage.views.item(stage.workspace.workspaceId, file))!;
      expect(thumbnails.map(({ width }) => width)).toEqual([320, 1024]);
    }
    await stage.refill(clock.now());
    // The files of thumbnails are looked at, and are no items.
    expect(await run()).toBe(60);
    expect(await stage.find({})).toHaveLength(20);
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

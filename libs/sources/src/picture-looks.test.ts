import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { DomainError } from '#kernel';
import { RecordedJobs } from '#testing/kernel';
import { aPng, InMemoryVideos, SourcesStage, UNSIGNED } from '#testing/sources';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { fileStoreOn } from '../../../test/support/file-store.ts';
import { DerivedFiles } from './derived-files.ts';
import { PictureLooks } from './picture-looks.ts';

describe('a look at a stored picture', () => {
  let db: TestDatabase;
  let stage: SourcesStage;
  let jobs: RecordedJobs;
  beforeAll(async () => {
    db = await createDatabase();
  });
  afterAll(() => db.drop());
  beforeEach(async () => {
    stage = await SourcesStage.open(fileStoreOn(db.database));
    jobs = new RecordedJobs();
  });
  afterEach(async () => {
    await db.query('delete from files');
    expect(await stage.close()).toEqual([]);
  });

  /** One pass of the sweep. @param open what the storage answers, instead of the bytes */
  async function sweep(open?: (key: string) => Promise<Readable | null>): Promise<number> {
    const { files, pictures: derivatives, folders, storage, store, clock } = stage;
    const { unitOfWork, files: records } = store;
    const derived = new DerivedFiles({
      files,
      derivatives,
      videos: new InMemoryVideos(),
      manifests: UNSIGNED,
      jobs,
      unitOfWork,
    });
    const opening = { open: open ?? ((key: string) => storage.open(key)) };
    const looks = new PictureLooks({ records, storage: opening, derived, folders, clock, maxBytes: 1_000_000 });
    return looks.sweep(new AbortController().signal);
  }
  const picture = () => stage.stored(aPng({ width: 640, height: 320 }));
  const widths = async (id: number) => (await stage.store.files.find(id))?.thumbnails.map(({ width }) => width);
  const isDue = async (id: number) => {
    const found = await db.query('select from files where id = $1 and look_due_at is not null', [id]);
    return found.length === 1;
  };

  it('finds its size and makes its thumbnails, which are files of it', async () => {
    const { id } = await picture();
    expect(await sweep()).toBe(1);
    expect(await stage.store.files.find(id)).toMatchObject({
      width: 640,
      height: 320,
      placeholder: expect.any(String),
    });
    expect(await widths(id)).toEqual([320, 640]);
    expect(await db.query('select from files where picture_id = $1', [id])).toHaveLength(2);
    expect([await sweep(), jobs.announced]).toEqual([0, []]);
  });

  it('makes thumbnails also of a picture with the longest name', async () => {
    const { id } = await stage.stored(aPng({ width: 640, height: 320 }), { filename: `${'a'.repeat(251)}.png` });
    expect([await sweep(), await widths(id)]).toEqual([1, [320, 640]]);
  });

  it('finds nothing where its bytes are gone, and does not look again', async () => {
    const { id, key } = await picture();
    await stage.storage.delete([key]);
    expect(await sweep()).toBe(1);
    expect([await widths(id), await isDue(id)]).toEqual([[], false]);
  });

  it('is repeated when the storage breaks off while the bytes are read', async () => {
    const { id } = await picture();
    const away = new DomainError('unavailable', 'the storage is away');
    const breaksOff = Readable.from(
      (function* () {
        yield aPng().subarray(0, 20);
        throw away;
      })(),
    );
    await expect(sweep(async () => breaksOff)).rejects.toBe(away);
    expect(await isDue(id)).toBe(true);
    stage.clock.advance(301);
    expect([await sweep(), await widths(id)]).toEqual([1, [320, 640]]);
  });

  it('leaves no thumbnails of a picture that is deleted meanwhile', async () => {
    const { id, key } = await picture();
    const looked = await sweep(async () => {
      const bytes = await stage.storage.open(key);
      await db.query('delete from files where id = $1', [id]);
      return bytes;
    });
    expect(looked).toBe(1);
    const left = await db.query<{ id: number }>('select id from files order by id');
    expect(left).toHaveLength(2);
    expect(jobs.announced).toMatchObject([
      { name: 'files.reclaim', payload: { fileIds: left.map((file) => file.id) } },
    ]);
  });
});

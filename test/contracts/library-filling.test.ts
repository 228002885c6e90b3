/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { NOTHING_SEEN } from '#files';
import { LibraryFilling } from '#library';
import { ManualClock } from '#testing/kernel';
import { LibraryStage } from '../support/library-stage.ts';
import { inRounds } from '../support/rounds.ts';

const stage = await LibraryStage.open();
afterAll(() => stage.db.drop());
beforeEach(async () => {
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

  it('have the look that a worker saves while they are added', async () => {
    const look = { colors: [7, 8], shape: '01'.repeat(32) };
    await inRounds(async () => {
      const file = await stage.file('upload');
      await stage.refill(new Date(0));
      await Promise.all([
        stage.work.addOlder(later(0), 1_000),
        setTimeout(Math.random() * 12).then(() => stage.records.saveSeen(file, { ...NOTHING_SEEN, look })),
      ]);
      expect(await stage.db.query('select colors from library_items where file_id = $1', [file])).toEqual([
        { colors: look.colors },
      ]);
    });
  });

  it('are added by one pass of the sweep, and have those looked at that nobody has looked at', async () => {
    await uploads(20);
    const seen = await stage.upload({ look: { colors: [1], shape: '10'.repeat(32) } });
    await stage.db.query('delete from library_items');
    await stage.db.query('update files set look_due_at = null');
    const filling = new LibraryFilling(stage.work, new ManualClock(new Date()));
    await stage.refill(new Date(0));
    expect(await filling.sweep(new AbortController().signal)).toBe(21);
    expect(await stage.find({})).toHaveLength(21);
    const due = await stage.records.claimUnseen(later(0), later(300), 30);
    expect([due.length, due.some(({ id }) => id === seen)]).toEqual([20, false]);
  });
});

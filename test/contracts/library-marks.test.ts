/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_TAG_COUNT, MAX_TAGS } from '#library';
import { codeOf } from '../support/code-of.ts';
import { LibraryStage } from '../support/library-stage.ts';
import { itInRounds } from '../support/rounds.ts';

const stage = await LibraryStage.open();
afterAll(() => stage.db.drop());
beforeEach(async () => {
  await stage.clear();
});

const tagsOf = async (file: number) => (await stage.views.item(stage.workspace.workspaceId, file))!.tags;
const listed = (prefix = '', limit = 10, after: string | null = null) =>
  stage.views.tags(stage.workspace.workspaceId, prefix, limit, after);

describe('the name of an item', () => {
  it('is that of its file until it is renamed, and found together with the name of the file', async () => {
    const file = await stage.upload({ filename: 'IMG_2041.jpg' });
    expect(await stage.views.item(stage.workspace.workspaceId, file)).toMatchObject({ name: 'IMG_2041.jpg' });
    await stage.library.tag(stage.workspace, [file], { add: ['a'], rating: 3 });
    await stage.library.update(stage.workspace, file, { name: ' Lighthouse at dusk ' });
    const marks = { name: 'Lighthouse at dusk', filename: 'IMG_2041.jpg', tags: ['a'], rating: 3 };
    expect(await stage.views.item(stage.workspace.workspaceId, file)).toMatchObject(marks);
    for (const text of ['lighthouse', 'lighthuose', '2041']) expect(await stage.find({ text })).toEqual([file]);
  });

  it('is changed by nobody of another workspace, nor for a deleted file', async () => {
    const file = await stage.upload();
    const rename = (by = stage.workspace) => codeOf(stage.library.update(by, file, { name: 'Mine' }));
    expect(await rename(stage.other)).toBe('not_found');
    expect(await stage.views.item(stage.workspace.workspaceId, file)).not.toMatchObject({ name: 'Mine' });
    await stage.db.query(
      `insert into trash (id, workspace_id, kind, item_id, deleted_by, deleted_at, expires_at) overriding system value
       values (1, ${stage.workspace.workspaceId}, 'item', ${file}, 1, now(), now())`,
    );
    await stage.db.query(`update files set deletion_id = 1 where id = ${file}`);
    expect(await rename()).toBe('not_found');
  });
});

describe('tags and ratings', () => {
  it('change many items at once, each to its own tags', async () => {
    const [one, two] = [await stage.upload(), await stage.upload()];
    await stage.library.update(stage.workspace, one, { tags: ['a', 'B'], rating: 2 });
    const marked = await stage.library.tag(stage.workspace, [two, one, one, 999_999], { add: ['C '], remove: ['b'] });
    expect(marked).toEqual([
      { fileId: one, tags: ['a', 'c'], rating: 2 },
      { fileId: two, tags: ['c'], rating: 0 },
    ]);
    expect(await tagsOf(one)).toEqual(['a', 'c']);
    await stage.library.tag(stage.workspace, [one, two], { rating: 5 });
    expect(await stage.find({ rating: 5 })).toEqual([two, one]);
    expect(await stage.find({ tags: ['b'] })).toEqual([]);
  });

  it('replace those of one item, and take them away', async () => {
    const file = await stage.upload();
    await stage.library.update(stage.workspace, file, { tags: ['a'], rating: 3 });
    await stage.library.update(stage.workspace, file, { rating: 4 });
    expect(await tagsOf(file)).toEqual(['a']);
    await stage.library.update(stage.workspace, file, { tags: [] });
    expect(await stage.views.item(stage.workspace.workspaceId, file)).toMatchObject({ tags: [], rating: 4 });
  });

  it('change no item where one would have too many tags', async () => {
    const [one, two] = [await stage.upload(), await stage.upload()];
    const many = Array.from({ length: MAX_TAGS }, (_, index) => `t${index}`);
    await stage.library.update(stage.workspace, one, { tags: many });
    expect(await codeOf(stage.library.tag(stage.workspace, [one, two], { add: ['one more'] }))).toBe(
      'validation_failed',
    );
    expect(await tagsOf(two)).toEqual([]);
  });

  it('are listed by their beginning, with the number of items that callers see', async () => {
    const files = [await stage.upload(), await stage.upload(), await stage.upload()];
    await stage.library.tag(stage.workspace, files, { add: ['blue', 'red'] });
    await stage.library.tag(stage.workspace, files.slice(0, 1), { add: ['blue hour', 'éclair'], remove: ['red'] });
    expect(await listed()).toEqual([
      { tag: 'blue', items: 3 },
      { tag: 'blue hour', items: 1 },
      { tag: 'red', items: 2 },
      { tag: 'éclair', items: 1 },
    ]);
    expect((await listed('blue')).map(({ tag }) => tag)).toEqual(['blue', 'blue hour']);
    expect((await listed('é')).map(({ tag }) => tag)).toEqual(['éclair']);
    expect((await listed('', 1, 'blue')).map(({ tag }) => tag)).toEqual(['blue hour']);
    await stage.library.tag(stage.workspace, files, { remove: ['blue'] });
    expect((await listed('blue')).map(({ tag }) => tag)).toEqual(['blue hour']);
  });

  it('are counted up to a hundred', async () => {
    const { workspaceId } = stage.workspace;
    await stage.db.query(
      `insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
       select $1, 'upload', 'files/' || n || '/a.png', 'a.png', 1, 'image/png', now() from generate_series(1, 101) n`,
      [workspaceId],
    );
    await stage.fill();
    const all = await stage.find({}, { limit: 200 });
    for (let from = 0; from < all.length; from += 500) {
      await stage.library.tag(stage.workspace, all.slice(from, from + 500), { add: ['x'] });
    }
    expect(await listed()).toEqual([{ tag: 'x', items: MAX_TAG_COUNT }]);
  });

  itInRounds(
    'are all there after concurrent calls that add equal and different tags to the same items',
    async (round) => {
      const files = [await stage.upload(), await stage.upload(), await stage.upload()];
      const tags = Array.from({ length: 6 }, (_, index) => `r${round}-${index}`);
      await Promise.all(
        tags.map((tag, index) =>
          stage.library.tag(stage.workspace, index % 2 ? files : files.toReversed(), { add: [tag, `r${round}`] }),
        ),
      );
      for (const file of files) expect(await tagsOf(file)).toEqual([`r${round}`, ...tags].sort());
      expect(await listed(`r${round}`, 1)).toEqual([{ tag: `r${round}`, items: 3 }]);
    },
  );

  itInRounds('never exceed their limit by concurrent calls', async () => {
    const file = await stage.upload();
    const tags = Array.from({ length: MAX_TAGS - 1 }, (_, index) => `t${index}`);
    await stage.library.update(stage.workspace, file, { tags });
    const add = (tag: string) => codeOf(stage.library.tag(stage.workspace, [file], { add: [tag] }));
    expect((await Promise.all(['x', 'y', 'z'].map(add))).sort()).toEqual([
      'ok',
      'validation_failed',
      'validation_failed',
    ]);
  });
});

describe('saved searches', () => {
  const member = () => ({ ...stage.workspace, role: 'member' as const });

  it('keep their filter, times included', async () => {
    const filter = { text: 'fox', after: new Date('2026-01-02T03:04:05.678Z'), tags: ['x'], sort: 'rating' as const };
    const { id } = await stage.searches.create(stage.workspace, ' Best ', filter);
    const changed = await stage.searches.update(member(), id, { name: 'Better' });
    expect(changed).toMatchObject({ name: 'Better', filter, createdBy: stage.workspace.userId });
    expect(await stage.searches.update(member(), id, { filter: { rating: 4 } })).toMatchObject({
      name: 'Better',
      filter: { rating: 4 },
    });
  });

  itInRounds('have a name of their own in the workspace, also by concurrent calls', async (round) => {
    const create = (workspace = stage.workspace) => codeOf(stage.searches.create(workspace, `Name ${round}`, {}));
    expect((await Promise.all([create(), create(), create()])).sort()).toEqual(['conflict', 'conflict', 'ok']);
    expect(await create(stage.other)).toBe('ok');
  });

  it('are not renamed to a name that is taken', async () => {
    await stage.searches.create(stage.workspace, 'One', {});
    const { id } = await stage.searches.create(stage.workspace, 'Two', {});
    expect(await codeOf(stage.searches.update(member(), id, { name: 'One' }))).toBe('conflict');
  });

  it('are changed by their creator, admins and the owner, and by nobody of another workspace', async () => {
    const { id } = await stage.searches.create(stage.workspace, 'One', {});
    const another = { ...stage.workspace, userId: stage.other.userId };
    expect(await codeOf(stage.searches.delete({ ...another, role: 'member' }, id))).toBe('forbidden');
    expect(await codeOf(stage.searches.delete({ ...stage.other, role: 'owner' }, id))).toBe('not_found');
    expect(await codeOf(stage.searches.update({ ...another, role: 'admin' }, id, { name: 'Two' }))).toBe('ok');
    expect(await codeOf(stage.searches.delete(member(), id))).toBe('ok');
    expect(await codeOf(stage.searches.delete(member(), id))).toBe('not_found');
    expect(stage.auditLog.entries.at(-1)).toMatchObject({ action: 'search.delete', target: id });
  });

  it('cannot be saved if they could not be run', async () => {
    expect(await codeOf(stage.searches.create(stage.workspace, 'One', { sort: 'relevance' }))).toBe(
      'validation_failed',
    );
  });
});

/** @tier test */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LibraryFilter } from '#library';
import { cellOfHex } from '#library';
import type { Look } from '#files';
import { LibraryStage } from '../support/library-stage.ts';

const look = (shape: string, ...colors: string[]): Look => ({ colors: colors.map(cellOfHex), shape: shape.repeat(16) });

const stage = await LibraryStage.open();
afterAll(() => stage.db.drop());
beforeEach(async () => {
  await stage.clear();
});

const inOrder = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);

describe('a search of the library', () => {
  it('finds words in any order, by their beginnings, and without accents and case', async () => {
    const fox = await stage.output({ prompt: 'A Red FOX, crème snow' });
    await stage.output({ prompt: 'a red house' });
    for (const text of ['fox red', 'RED fox', 'creme', 'snow fox a', 'crem fox']) {
      expect([text, await stage.find({ text })]).toEqual([text, [fox]]);
    }
    for (const text of ['fox house', 'ox', 're-d', 'foxes']) {
      expect([text, await stage.find({ text })]).toEqual([text, []]);
    }
  });

  it('forgives typing errors where no item has the word', async () => {
    const mountain = await stage.output({ prompt: 'mountains at dusk' });
    const loan = await stage.output({ prompt: 'loan' });
    expect(await stage.find({ text: 'mountian' })).toEqual([mountain]);
    expect(await stage.find({ text: 'moutain dusk' })).toEqual([mountain]);
    expect(await stage.find({ text: 'duskk' })).toEqual([mountain]);
    expect(await stage.find({ text: 'loam' })).toEqual([loan]);
    await stage.output({ prompt: 'loam' });
    expect(await stage.find({ text: 'loam' })).not.toContain(loan);
  });

  it('does not correct a word to one that only another workspace has', async () => {
    await stage.output({ prompt: 'mountain', workspace: stage.other });
    const own = await stage.output({ prompt: 'fountain' });
    expect(await stage.find({ text: 'fuontain' })).toEqual([own]);
    expect(await stage.find({ text: 'moutain' })).toEqual([]);
  });

  it('finds file names, models, tags and personas, also renamed ones', async () => {
    const personaId = await stage.persona('Zoë Winter');
    const upload = await stage.upload({ filename: 'beach_photo-2.png', personaId });
    const output = await stage.output({ model: 'flux/dev' });
    await stage.library.update(stage.workspace, output, { tags: ['Blue Hour'] });
    expect(await stage.find({ text: 'photo' })).toEqual([upload]);
    expect(await stage.find({ text: 'flux' })).toEqual([output]);
    expect(await stage.find({ text: 'hour blue' })).toEqual([output]);
    expect(await stage.find({ text: 'zoe beach' })).toEqual([upload]);
    expect(await stage.find({ text: 'wintre' })).toEqual([upload]);
    await stage.db.query(`update personas set name = 'Ada'`);
    expect(await stage.find({ text: 'zoe' })).toEqual([]);
    expect(await stage.find({ text: 'ada' })).toEqual([upload]);
  });

  it('shows the best match first: tags before the prompt before the name', async () => {
    const byName = await stage.upload({ filename: 'fox.png' });
    const byPrompt = await stage.output({ prompt: 'a fox' });
    const byTag = await stage.upload({ filename: 'b.png' });
    await stage.library.update(stage.workspace, byTag, { tags: ['fox'] });
    expect(await stage.find({ text: 'fox' }, { limit: 1 })).toEqual([byTag, byPrompt, byName]);
    expect(await stage.find({ text: 'fox', sort: 'oldest' }, { limit: 2 })).toEqual([byName, byPrompt, byTag]);
  });

  it('goes by every filter, and by all of them at once', async () => {
    const personaId = await stage.persona('Ada');
    const at = (day: number) => new Date(Date.UTC(2026, 4, day));
    const one = await stage.output({ model: 'a', kind: 'video', personaId, createdAt: at(2) });
    const two = await stage.output({ model: 'b', createdAt: at(3) });
    const three = await stage.upload({ createdAt: at(4) });
    await stage.library.update(stage.workspace, two, { tags: ['x', 'y'], rating: 4 });
    await stage.library.update(stage.workspace, three, { tags: ['x'], rating: 3 });
    const { workspaceId, userId } = stage.workspace;
    const generationId = (await stage.views.item(workspaceId, two))!.generationId!;
    const cases: [LibraryFilter, number[]][] = [
      [{}, [three, two, one]],
      [{ kinds: ['video'] }, [one]],
      [{ kinds: ['video', 'image'] }, [three, two, one]],
      [{ origin: 'upload' }, [three]],
      [{ source: 'generated' }, [two, one]],
      [{ source: 'uploaded' }, [three]],
      [{ source: 'imported' }, []],
      [{ source: 'derived' }, []],
      [{ source: 'generated', origin: 'upload' }, []],
      [{ model: 'b' }, [two]],
      [{ model: `b' | 'a` }, []],
      [{ generationId }, [two]],
      [{ generationId, model: 'a' }, []],
      [{ personaId }, [one]],
      [{ userId }, [two, one]],
      [{ userId: stage.other.userId }, []],
      [{ tags: ['x'] }, [three, two]],
      [{ tags: ['x', 'y'] }, [two]],
      [{ tags: ['z'] }, []],
      [{ rating: 3 }, [three, two]],
      [{ rating: 4 }, [two]],
      [{ rating: 0 }, [three, two, one]],
      [{ after: at(3) }, [three, two]],
      [{ before: at(3) }, [one]],
      [{ after: at(3), before: at(4) }, [two]],
      [{ kinds: ['image'], origin: 'output', model: 'b', tags: ['y'], rating: 1, userId, after: at(1) }, [two]],
    ];
    for (const [filter, expected] of cases) expect([filter, await stage.find(filter)]).toEqual([filter, expected]);
  });

  it.each(['newest', 'oldest', 'rating'] as const)('has each item once in pages by %s', async (sort) => {
    const createdAt = new Date(Date.UTC(2026, 4, 1));
    const ids: number[] = [];
    for (let index = 0; index < 9; index++) {
      ids.push(await stage.upload(index % 3 ? { createdAt } : {}));
      await stage.library.update(stage.workspace, ids.at(-1)!, { rating: index % 4 });
    }
    const whole = await stage.find({ sort });
    expect(inOrder(whole)).toEqual(ids);
    for (const limit of [1, 2, 4, 9]) expect(await stage.find({ sort }, { limit })).toEqual(whole);
    if (sort === 'oldest') expect(whole.toReversed()).toEqual(await stage.find({ sort: 'newest' }));
  });

  it('ranks 500 matches at a time, and has each once', async () => {
    await stage.output({ prompt: 'fox' });
    await stage.db.query(
      `insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
       select $1, 'upload', 'files/' || n || '/a.png', case n % 2 when 0 then 'fox.png' else 'fox fox.png' end, 1, 'image/png', now()
       from generate_series(1, 1100) n`,
      [stage.workspace.workspaceId],
    );
    await stage.fill();
    const found = await stage.find({ text: 'fox' }, { limit: 170 });
    expect(found).toHaveLength(1101);
    expect(new Set(found).size).toBe(1101);
  });

  it.each([
    `'); drop table files; --`,
    `a & b | !c <-> (d:*A) 'e`,
    '"unclosed',
    '\\',
    ':*',
    '🦊',
    '🦊🐻'.repeat(100),
    '\u202eثعلب\u202c',
    '\u0000\ud800',
    '%_%',
    'ﷺ',
    "''''",
  ])('takes any text: %j', async (text) => {
    await stage.output({ prompt: text.replaceAll(/[\u0000\ud800]/g, '') });
    const found = await stage.find({ text });
    expect(found.length).toBeLessThanOrEqual(1);
    await stage.library.update(stage.workspace, (await stage.find({}))[0]!, { tags: ['it\'s "x" \\ & |'] });
    expect(await stage.find({ tags: ['it\'s "x" \\ & |'] })).toHaveLength(1);
  });

  it.each([
    ['one word', 'x'.repeat(10_000)],
    ['many words', 'x '.repeat(5_000)],
    ['many emoji', '🦊'.repeat(5_000)],
    ['marks in any order', `a${'\u0301\u0323'.repeat(5_000)}`],
  ])('finds a prompt of 10,000 characters by all of it: %s', async (_what, prompt) => {
    const long = await stage.output({ prompt });
    expect(await stage.find({ text: prompt })).toEqual([long]);
  });

  it('finds an emoji, and nothing by marks alone', async () => {
    const fox = await stage.output({ prompt: 'a 🦊!' });
    expect(await stage.find({ text: '🦊' })).toEqual([fox]);
    expect(await stage.find({ text: '&|!' })).toEqual([]);
  });

  it('refuses the cursor of another order', async () => {
    for (const position of [[1], [1, 2, 3]]) {
      const after = { sort: 'newest', position } as const;
      await expect(stage.views.search(stage.workspace.workspaceId, {}, { limit: 1, after })).rejects.toThrow('cursor');
    }
    const after = { sort: 'rating', position: [1, 2, 3] } as const;
    await expect(stage.views.search(stage.workspace.workspaceId, {}, { limit: 1, after })).rejects.toThrow('cursor');
  });
});

describe('colours and likeness', () => {
  it('find items with a colour, the nearest first, wherever it is among the dominant ones', async () => {
    const red = await stage.upload({ look: look('0000', '#f82020') });
    const both = await stage.upload({ look: look('0000', '#ffffff', '#000000', '#00ff00', '#808080', '#ff0000') });
    await stage.upload({ look: look('0000', '#0000ff') });
    await stage.upload();
    expect(await stage.find({ color: '#ff0000' }, { limit: 1 })).toEqual([both, red]);
    expect(await stage.find({ color: '#ff0000', sort: 'oldest' })).toEqual([red, both]);
    expect(await stage.find({ color: '#ffff00' })).toEqual([]);
  });

  it('find items like another in shape and colour, the nearest first, without itself', async () => {
    const model = await stage.upload({ look: look('1010', '#ff0000', '#ffffff') });
    const nearly = await stage.upload({ look: look('1010', '#f01010', '#ffffff') });
    const turned = await stage.upload({ look: look('0101', '#ff0000', '#ffffff') });
    const near = await stage.upload({ look: look('1011', '#e01010', '#ffffff') });
    const blue = await stage.upload({ look: look('1010', '#0000ff') });
    const found = await stage.find({ like: model }, { limit: 1 });
    expect(found).toEqual([nearly, near]);
    expect(found).not.toContain(turned);
    expect(found).not.toContain(blue);
    expect(await stage.find({ like: model, color: '#e01010', tags: [] })).toEqual(found);
    expect(await stage.find({ like: model, sort: 'oldest' }, { limit: 1 })).toEqual([nearly, near]);
    expect(await stage.find({ like: model, color: '#00ff00' })).toEqual([]);
  });

  it('are combined with words and filters', async () => {
    const fox = await stage.output({ prompt: 'fox', look: look('0000', '#ff0000') });
    const car = await stage.output({ prompt: 'car', look: look('0000', '#ff0000') });
    expect(await stage.find({ text: 'fox', color: '#ff0000' })).toEqual([fox]);
    expect(await stage.find({ text: 'car', like: fox })).toEqual([car]);
  });

  it('are not compared with an item that is unknown, in another workspace or deleted', async () => {
    const foreign = await stage.upload({ workspace: stage.other, look: look('0000', '#ff0000') });
    for (const like of [foreign, 999_999]) await expect(stage.find({ like })).rejects.toThrow('no such item');
  });

  it('find nothing like an item whose look is not known yet', async () => {
    await stage.upload({ look: look('0000', '#ff0000') });
    expect(await stage.find({ like: await stage.upload() })).toEqual([]);
  });
});

describe('what is found', () => {
  it('is of one workspace, by whatever it is searched', async () => {
    const workspace = stage.other;
    const red = look('1100', '#ff0000');
    const theirs = await stage.output({ workspace, prompt: 'fox', model: 'm', look: red });
    await stage.library.update(workspace, theirs, { tags: ['secret'], rating: 5 });
    const own = await stage.output({ prompt: 'fox', model: 'm', look: red });
    await stage.library.update(stage.workspace, own, { rating: 5 });
    const filters: LibraryFilter[] = [
      {},
      { text: 'fox' },
      { color: '#ff0000' },
      { model: 'm' },
      { rating: 5 },
      { kinds: ['image'] },
      { origin: 'output' },
      { sort: 'rating' },
    ];
    for (const filter of filters) {
      expect([filter, await stage.find(filter)]).toEqual([filter, [own]]);
      expect([filter, await stage.find(filter, { workspace })]).toEqual([filter, [theirs]]);
    }
    expect(await stage.find({ like: own })).toEqual([]);
    expect(await stage.find({ tags: ['secret'] })).toEqual([]);
    expect(await stage.find({ userId: workspace.userId })).toEqual([]);
    const { generationId } = (await stage.views.item(workspace.workspaceId, theirs))!;
    expect(await stage.find({ generationId: generationId! })).toEqual([]);
    expect(await stage.views.item(stage.workspace.workspaceId, theirs)).toBeNull();
    expect(await stage.views.tags(stage.workspace.workspaceId, '', 10, null)).toEqual([]);
    expect(await stage.library.tag(stage.workspace, [theirs], { add: ['x'] })).toEqual([]);
    await expect(stage.library.update(stage.workspace, theirs, { rating: 1 })).rejects.toThrow('no such item');
    expect(await stage.views.item(workspace.workspaceId, theirs)).toMatchObject({ tags: ['secret'], rating: 5 });
  });

  it('is no temporary file, no thumbnail, no unused import and no output of a generation that has not succeeded', async () => {
    await stage.file('upload', { expiresAt: new Date(Date.now() + 60_000) });
    await stage.file('import');
    await stage.file('output');
    await stage.fill();
    expect(await stage.find({})).toEqual([]);
  });

  it('is gone with its persona at once, also from boards, and back when that is restored', async () => {
    const personaId = await stage.persona('Ada');
    const file = await stage.upload({ personaId, filename: 'one.png', look: look('1100', '#ff0000') });
    const shown = await stage.upload({ personaId, filename: 'one.png' });
    await stage.db.query(
      `with board as (insert into boards (workspace_id, created_by, name, created_at) values ($1, $2, 'b', now()) returning id),
       item as (insert into media (board_id, created_by, state, created_at) select id, $2, 'processed', now() from board returning id)
       insert into media_files (media_id, file_id) select id, $3 from item`,
      [stage.workspace.workspaceId, stage.workspace.userId, shown],
    );
    await stage.library.update(stage.workspace, file, { tags: ['x'] });
    const entry = await stage.db.one<{ id: number }>(
      `insert into trash (workspace_id, kind, item_id, deleted_by, deleted_at, expires_at)
       values ($1, 'persona', $2, $3, now(), now() + interval '1 day') returning id`,
      [stage.workspace.workspaceId, personaId, stage.workspace.userId],
    );
    const isFound = async () => [
      (await stage.find({})).includes(file),
      (await stage.find({ text: 'one' })).includes(file),
      (await stage.find({ color: '#ff0000' })).includes(file),
      (await stage.views.item(stage.workspace.workspaceId, file)) !== null,
      (await stage.views.tags(stage.workspace.workspaceId, 'x', 9, null)).length > 0,
      (await stage.library.tag(stage.workspace, [file], { rating: 1 })).length > 0,
    ];
    const [all, none] = [Array(6).fill(true), Array(6).fill(false)];
    expect(await isFound()).toEqual(all);
    await stage.db.query('update personas set deletion_id = $1', [entry!.id]);
    expect(await isFound()).toEqual(none);
    expect(await stage.find({})).toEqual([]);
    await expect(stage.find({ like: file })).rejects.toThrow('no such item');
    await stage.db.query('update files set deletion_id = $1 where id = $2', [entry!.id, file]);
    expect(await isFound()).toEqual(none);
    await stage.db.query('update personas set deletion_id = null');
    expect(await isFound()).toEqual(none);
    await stage.db.query('update files set deletion_id = null');
    expect(await isFound()).toEqual(all);
    await stage.db.query('delete from files where id = $1', [file]);
    expect(await isFound()).toEqual(none);
  });

  it('has what is shown of it', async () => {
    const personaId = await stage.persona('Ada');
    const file = await stage.output({ prompt: 'fox', personaId, look: look('1100', '#ff0000', '#ffffff') });
    expect(await stage.views.item(stage.workspace.workspaceId, file)).toMatchObject({
      fileId: file,
      kind: 'image',
      origin: 'output',
      width: 640,
      height: 480,
      thumbnails: [],
      placeholder: 'AAAA',
      prompt: 'fox',
      model: 'local-image',
      personaId,
      generationId: expect.any(Number),
      tags: [],
      rating: 0,
      colors: [cellOfHex('#ff0000'), cellOfHex('#ffffff')],
    });
  });
});

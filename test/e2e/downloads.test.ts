/** @tier test, 15 s */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { DiskObjects } from '#adapters/storage';
import { systemClock } from '#kernel';
import { eventually } from '../support/eventually.ts';
import { expectRefusal } from '../support/expectations.ts';
import { documentsIn, readZip } from '../support/read-zip.ts';
import { teamOf } from '../support/team-of.ts';
import { uploaded } from '../support/uploaded.ts';
import { callerOf, prepared, useService } from '../support/use-service.ts';
const service = useService();
const user = prepared(() => service.signUp());

const call = callerOf(service, user);

/** Pixels that do not compress: more than a connection buffers. */
const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();

async function upload(filename: string, bytes: Buffer, by: { token: string } = user) {
  const url = await uploaded(service, by, filename, bytes);
  const found = await call('GET', '/v2/library?limit=1', { token: by.token });
  return { id: found.body.items[0].file_id as number, url };
}

async function linkTo(selection: object, { token }: { token: string } = user): Promise<string> {
  const { status, body } = await call('POST', '/v2/downloads', { token, json: selection });
  expect([status, body]).toEqual([201, expect.objectContaining({ url: expect.any(String) })]);
  return body.url;
}

async function zipAt(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="x12-\d{4}-\d\d-\d\d\.zip"$/);
  return Buffer.from(await response.arrayBuffer());
}

describe('a zip', () => {
  it('has the files of a board in its folders, each byte as it was, and a list of them', async () => {
    const [one, two] = [await noise(20), await noise(30)];
    const [first, second] = [await upload('fox.png', one), await upload('fox.png', two)];
    const { body } = await call('POST', '/v2/boards', { json: { name: 'Füchse: 2026' } });
    const on = `/v2/boards/${body.board.id}`;
    const outer = (await call('POST', `${on}/folders`, { json: { name: '..' } })).body.folder.id;
    const inner = (await call('POST', `${on}/folders`, { json: { name: 'CON', parent_id: outer } })).body.folder.id;
    const media: number[] = [];
    for (const [url, folder_id] of [
      [first.url, null],
      [second.url, null],
      [first.url, inner],
    ] as const) {
      media.push((await call('POST', `${on}/media`, { json: { url, folder_id } })).body.media.id);
    }
    await eventually(async () => {
      const states = (await call('GET', on)).body.board.media.map(({ state }: { state: string }) => state);
      return states.every((state: string) => state === 'processed');
    });
    const zip = await zipAt(await linkTo({ board_id: body.board.id }));
    const files = new Map((await readZip(zip)).map(({ path, bytes }) => [path, bytes]));
    expect([...files.keys()]).toEqual([
      'Füchse_ 2026/fox.png',
      'Füchse_ 2026/fox (2).png',
      'Füchse_ 2026/_/_CON/fox.png',
      'index.csv',
    ]);
    expect(files.get('Füchse_ 2026/fox.png')!.equals(one)).toBe(true);
    expect(files.get('Füchse_ 2026/fox (2).png')!.equals(two)).toBe(true);
    const paths = async (selection: object) => (await readZip(await zipAt(await linkTo(selection)))).map((e) => e.path);
    expect(await paths({ folder_id: outer })).toEqual(['_/_CON/fox.png', 'index.csv']);
    expect(await paths({ media_ids: [media[1]] })).toEqual(['Füchse_ 2026/fox.png', 'index.csv']);
  });

  it('says how outputs were made, and no spreadsheet takes a prompt for a formula', async () => {
    const custom = { customer: '=user', metadata: { order: 'A-17' } };
    const json = { model: 'local-image', prompt: '=1+1, "fox"', seed: 7, width: 64, height: 64, ...custom };
    const { body } = await call('POST', '/v2/generate', { json });
    const read = async () => (await call('GET', `/v2/generations/${body.generation_id}`)).body;
    await eventually(async () => (await read()).state === 'succeeded');
    const documents = await documentsIn(await zipAt(await linkTo({ generation_ids: [body.generation_id] })));
    const [name] = Object.keys(documents);
    expect(name).toBe(`generation ${body.generation_id}/=1+1, _fox_ 7.webp`);
    expect(documents['index.csv']).toBe(
      `\ufeffname,prompt,model,seed,cost,customer,metadata,source,digital_source_type\r\n` +
        `"${name}","'=1+1, ""fox""",local-image,7,${(await read()).cost},'=user,"{""order"":""A-17""}",generated,` +
        'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia\r\n',
    );
  });

  it('has labelled copies of outputs, uploads as they are, and a list of outputs that take no label', async () => {
    const json = { model: 'local-image', prompt: 'a fox', width: 320, height: 256 };
    const { body } = await call('POST', '/v2/generate', { json });
    const read = async () => (await call('GET', `/v2/generations/${body.generation_id}`)).body;
    await eventually(async () => (await read()).state === 'succeeded');
    const output = (await call('GET', '/v2/library?limit=1')).body.items[0].file_id as number;
    const photo = await noise(40);
    const own = await upload('own.png', photo);
    const gif = await sharp(photo).gif().toBuffer();
    const moving = await upload('moving.gif', gif);
    await service.database.query(`update files set origin = 'output' where id = $1`, [moving.id]);
    const zipOf = async (label?: boolean | string) => {
      const zip = await readZip(await zipAt(await linkTo({ file_ids: [output, own.id, moving.id], label })));
      return zip.map(({ path, bytes }) => [path, bytes] as const);
    };
    const [plain, labelled, other] = [await zipOf(), await zipOf(true), await zipOf('Made with AI')];
    const paths = plain.map(([path]) => path);
    expect(labelled.map(([path]) => path)).toEqual([...paths, 'MISSING.txt']);
    const copies = [plain, labelled, other].map(([first]) => first![1]);
    for (const bytes of copies) {
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 320, height: 256 });
    }
    expect(new Set(copies.map(String)).size).toBe(3);
    expect([labelled[1]![1].equals(photo), labelled[2]![1].equals(gif)]).toEqual([true, true]);
    expect(String(labelled.at(-1)![1])).toMatch(/can't be labelled.*\r\n.*\.gif\r\n/);
    expectRefusal(
      await call('POST', '/v2/downloads', { json: { file_ids: [1], label: 'x'.repeat(61) } }),
      400,
      'validation_failed',
      'label',
    );
  });

  it('lists the files whose bytes are gone', async () => {
    const [gone, there] = [await upload('gone.png', await noise(10)), await upload('there.png', await noise(10))];
    const url = await linkTo({ file_ids: [gone.id, there.id] });
    const key = decodeURIComponent(new URL(gone.url).pathname.slice(1));
    await new DiskObjects(join(service.settings.data.folder, 'files'), systemClock).delete([key]);
    const documents = await documentsIn(await zipAt(url));
    expect(Object.keys(documents)).toEqual(['there.png', 'index.csv', 'MISSING.txt']);
    expect(documents['MISSING.txt']).toContain('gone.png');
    expect(documents['index.csv']).not.toContain('gone.png');
  });

  it('has the files as they are when it is opened', async () => {
    const [one, two] = [await upload('one.png', await noise(10)), await upload('two.png', await noise(10))];
    const url = await linkTo({ file_ids: [one.id, two.id] });
    await call('DELETE', `/v2/library/${one.id}`);
    expect((await readZip(await zipAt(url))).map(({ path }) => path)).toEqual(['two.png', 'index.csv']);
    await call('DELETE', `/v2/library/${two.id}`);
    expect((await fetch(url)).status).toBe(404);
  });
});

describe('a link', () => {
  it('is to exactly one thing of the workspace, with files', async () => {
    const stranger = await service.signUp();
    const theirs = await upload('theirs.png', await noise(10), stranger);
    const post = (json: object) => call('POST', '/v2/downloads', { json });
    expectRefusal(await post({}), 400, 'validation_failed', 'request');
    expectRefusal(await post({ board_id: 1, file_ids: [1] }), 400, 'validation_failed', 'request');
    expectRefusal(await post({ file_ids: [theirs.id] }), 404, 'not_found');
    expectRefusal(await post({ media_ids: [999_999] }), 404, 'not_found');
    expectRefusal(await post({ generation_ids: [999_999] }), 404, 'not_found');
    const { body } = await call('POST', '/v2/boards', { token: stranger.token, json: { name: 'Theirs' } });
    expectRefusal(await post({ board_id: body.board.id }), 404, 'not_found');
    expectRefusal(await post({ folder_id: 999_999 }), 404, 'not_found');
    const many = Array.from({ length: 501 }, (_, index) => index + 1);
    expectRefusal(await post({ file_ids: many }), 400, 'validation_failed', 'file_ids');
  });

  it('is not to what has not ended yet, and says what that is', async () => {
    const json = { model: 'local-image', prompt: 'a fox', width: 64, height: 64 };
    const id: number = (await call('POST', '/v2/generate', { json })).body.generation_id;
    const read = () => call('GET', `/v2/generations/${id}`);
    await eventually(async () => (await read()).body.state === 'succeeded');
    const post = () => call('POST', '/v2/downloads', { json: { generation_ids: [id] } });
    await service.database.query(`update generations set state = 'running' where id = $1`, [id]);
    const refused = await post();
    expectRefusal(refused, 409, 'conflict');
    expect(refused.body.message).toBe(`not ready yet: generation ${id}`);
    await service.database.query(`update generations set state = 'succeeded' where id = $1`, [id]);
    expect((await post()).status).toBe(201);
  });

  it('ends after ten minutes, and with the right of its maker', async () => {
    const team = await teamOf(service);
    const member = await team.member();
    const file = await upload('a.png', await noise(10), member);
    const url = await linkTo({ file_ids: [file.id] }, member);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect((await readZip(await zipAt(url))).length).toBe(2);
    await service.database.query(`update downloads set expires_at = now() where user_id = $1`, [member.userId]);
    expect((await fetch(url)).status).toBe(404);
    const other = await linkTo({ file_ids: [file.id] }, member);
    await service.database.query('delete from memberships where user_id = $1 and workspace_id = $2', [
      member.userId,
      team.workspaceId,
    ]);
    for (const method of ['GET', 'HEAD']) expect((await fetch(other, { method })).status).toBe(404);
    expect((await fetch(`${url}x`)).status).toBe(404);
  });

  it('is opened while no other download of the user runs; one that a client leaves has ended', async () => {
    const { id } = await upload('large.png', await noise(2500));
    const small = await upload('small.png', await noise(10));
    const [large, other] = [await linkTo({ file_ids: [id] }), await linkTo({ file_ids: [small.id] })];
    const leaving = new AbortController();
    const running = await fetch(large, { signal: leaving.signal });
    expect(running.status).toBe(200);
    const refused = await fetch(other);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'download_running']);
    const elsewhere = await service.signUp();
    const theirs = await upload('a.png', await noise(10), elsewhere);
    await zipAt(await linkTo({ file_ids: [theirs.id] }, elsewhere));
    leaving.abort();
    await eventually(async () => {
      const response = await fetch(other);
      await response.arrayBuffer();
      return response.status === 200;
    });
    const isRunning = 'select from downloads where user_id = $1 and runs_until is not null';
    await eventually(async () => (await service.database.query(isRunning, [user.id])).length === 0);
    const opened = await Promise.all([fetch(large), fetch(large), fetch(large)]);
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1);
    await Promise.all(opened.map((response) => response.arrayBuffer()));
  });
});

it('the zip of a share link is sent to an address once at a time, until its client leaves', async () => {
  const { url } = await upload('large.png', await noise(2500));
  const board: number = (await call('POST', '/v2/boards', { json: { name: 'Summer' } })).body.board.id;
  await call('POST', `/v2/boards/${board}/media`, { json: { url } });
  await eventually(async () => (await call('GET', `/v2/boards/${board}`)).body.board.media[0].state === 'processed');
  const newLink = async (): Promise<string> => {
    const { body } = await call('POST', '/v2/shares', { json: { board_id: board, allow: ['download'] } });
    return `${service.baseUrl}/v2/shared/${new URL(body.share.url).pathname.replace('/s/', '')}/zip`;
  };
  const [link, other] = [await newLink(), await newLink()];
  const get = async (from: string) => {
    const response = await fetch(from);
    const bytes = Buffer.from(await response.arrayBuffer());
    return response.status === 200
      ? (await readZip(bytes)).map(({ path }) => path)
      : [response.status, (JSON.parse(bytes.toString()) as { code: string; message: string }).code];
  };
  const whole = ['large.png', 'index.csv'];
  const untilWhole = () => eventually(async () => (await get(link)).join() === whole.join());

  const leaving = new AbortController();
  expect((await fetch(link, { signal: leaving.signal })).status).toBe(200);
  expect(await get(link)).toEqual([409, 'download_running']);
  expect(await get(other)).toEqual(whole);
  leaving.abort();
  await untilWhole();
});

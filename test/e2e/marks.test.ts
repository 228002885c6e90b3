/** @tier deep, 30 s, about libs/adapters/images libs/adapters/c2pa libs/files libs/sources libs/download libs/sharing libs/transformation */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { temporaryFolder } from '#testing/sources';
import { readMark } from '../../libs/adapters/images/src/marks/marks.ts';
import { eventually } from '../support/eventually.ts';
import { HAS_EXIFTOOL, readTags } from '../support/exiftool.ts';
import { readZip } from '../support/read-zip.ts';
import { startFakeReplicate } from '../support/vendors/replicate.ts';
import { uploaded } from '../support/uploaded.ts';
import { callerOf, prepared, untilFileEnds, useFile, useService } from '../support/use-service.ts';

// No lower layer has the bytes that clients download.

const foreign = (name: string) => readFile(join(import.meta.dirname, '../contracts/foreign-files', name));
const vendorPicture = await foreign('c2pa.png');

const models = [
  { id: 'drawing', kind: 'vector', target: 'owner/svg' },
  { id: 'statue', kind: 'model3d', target: 'owner/3d' },
  { id: 'vendor', kind: 'image', target: 'owner/photo' },
].map((model) => ({ provider: 'replicate', cost: 1, mapping: { prompt: '{prompt}' }, ...model }));
const KEY = 'r8_of_a_test';
const vendor = untilFileEnds(await startFakeReplicate({ key: KEY, picture: vendorPicture }));
const service = useService({
  MODELS_FILE: useFile('models.json', JSON.stringify({ models })),
  ...{ REPLICATE_API_TOKEN: KEY, REPLICATE_BASE_URL: vendor.url },
});
const user = prepared(() => service.signUp());
const call = callerOf(service, user);

/** An output or an upload, in the library and on the board. */
interface Item {
  readonly name: string;
  readonly type: string;
  readonly url: string;
  readonly thumbnails: readonly { readonly url: string }[];
  readonly fileId: number;
  readonly mediaId: number;
  /** The generation of an output. */
  readonly id?: number;
}

interface FoundFile {
  readonly type: string;
  readonly bytes: Buffer;
}

const TRAINED = 'trainedAlgorithmicMedia';
const COMPOSITE = 'compositeWithTrainedAlgorithmicMedia';
const PHOTO = { image: 'photo.png' };
/** Each kind of output: its call, and the digital source type that it has to have. */
const OUTPUTS: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ['a picture', TRAINED, { model: 'local-image', width: 400, height: 300 }],
  ['a picture of a picture', COMPOSITE, { model: 'local-image', width: 400, ...PHOTO }],
  ['an edited picture', COMPOSITE, { model: 'local-edit', mask_image: 'mask.png', ...PHOTO }],
  ['a mask', COMPOSITE, { model: 'local-mask', ...PHOTO }],
  ['a video', COMPOSITE, { model: 'local-video', duration: 2, fps: 12, width: 128, ...PHOTO }],
  ['a drawing', TRAINED, { model: 'drawing' }],
  ['a 3D model', TRAINED, { model: 'statue' }],
];
const SIGNED_OUTPUT = 'a signed output of a vendor';
/** Files that are not ours, with their bytes. */
const FOREIGN = new Map([
  [SIGNED_OUTPUT, vendorPicture],
  ['a photograph.jpg', await foreign('exiftool-everything.jpg')],
  ['a signed picture.jpg', await foreign('c2pa.jpg')],
  ['a signed video.mp4', await foreign('c2pa.mp4')],
]);

const inputs = new Map<string, string>();
async function newOutput(name: string, form: Readonly<Record<string, unknown>>) {
  const given = Object.entries(form).map(([field, value]) => [field, inputs.get(String(value)) ?? value]);
  const { body } = await call('POST', '/v2/generate', { json: { prompt: 'a fox', ...Object.fromEntries(given) } });
  return eventually(async () => {
    const { finished_at, outputs } = (await call('GET', `/v2/generations/${body.generation_id}`)).body;
    if (finished_at === null) return false;
    const [{ content_type: type, file_id: fileId, url, thumbnails }] = outputs;
    return { name, id: body.generation_id as number, type, fileId, url, thumbnails };
  });
}

async function newUpload(name: string, bytes: Buffer) {
  const url = await uploaded(service, user, name, bytes);
  const [{ file_id: fileId }] = (await call('GET', `/v2/library?q=${encodeURIComponent(name)}`)).body.items;
  return { name, type: TYPES[extname(name)]!, url, thumbnails: [], fileId };
}

let board: number;
const items = new Map<string, Item>();
async function fillBoard(): Promise<void> {
  const filled = (width: number, height: number, background: string) =>
    sharp({ create: { width, height, channels: 3, background } }).png();
  const spot = { input: await filled(90, 90, '#fff').toBuffer(), top: 9, left: 9 };
  const mask = filled(400, 300, '#000').composite([spot]);
  for (const [name, drawn] of Object.entries({ 'photo.png': filled(400, 300, '#274e13'), 'mask.png': mask })) {
    inputs.set(name, await uploaded(service, user, name, await drawn.toBuffer()));
  }
  const made = await Promise.all([
    ...OUTPUTS.map(([name, , form]) => newOutput(name, form)),
    newOutput(SIGNED_OUTPUT, { model: 'vendor' }),
    ...[...FOREIGN].filter(([name]) => name !== SIGNED_OUTPUT).map(([name, bytes]) => newUpload(name, bytes)),
  ]);
  board = (await call('POST', '/v2/boards', { json: { name: 'Foxes' } })).body.board.id;
  for (const item of made) {
    const { body } = await call('POST', `/v2/boards/${board}/media`, { json: { url: item.url } });
    items.set(item.name, { ...item, mediaId: body.media.id });
  }
  await eventually(async () => {
    const { media } = (await call('GET', `/v2/boards/${board}`)).body.board;
    return media.every(({ state }: { state: string }) => state === 'processed');
  });
}

const SHARES = {
  plain: { allow: ['download'] },
  watched: { allow: [] },
  watermark: { allow: ['download'], watermark: 'Draft' },
  label: { allow: ['download'], label: true },
};
type ShareName = keyof typeof SHARES;
const shares = new Map<ShareName, string>();
const mediaOf = async (share: ShareName) => (await call('GET', `${shares.get(share)}/media`)).body.media;
async function openShares(): Promise<void> {
  for (const [name, json] of Object.entries(SHARES)) {
    const { body } = await call('POST', '/v2/shares', { json: { board_id: board, ...json } });
    shares.set(name as ShareName, new URL(body.share.url).pathname.replace('/s/', '/v2/shared/'));
  }
  for (const name of shares.keys()) {
    await eventually(async () => (await mediaOf(name)).every((each: { is_prepared: boolean }) => each.is_prepared));
  }
}

beforeAll(async () => {
  await fillBoard();
  await openShares();
});

async function get(url: string): Promise<FoundFile> {
  const response = await fetch(new URL(url, service.baseUrl));
  expect([url, response.status]).toEqual([url, 200]);
  return { type: response.headers.get('content-type')!, bytes: Buffer.from(await response.arrayBuffer()) };
}

const TYPES: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.mp4': 'video/mp4',
  '.glb': 'model/gltf-binary',
};
async function filesIn(url: string): Promise<readonly FoundFile[]> {
  // One zip is sent to a user at a time, and the last one may not have ended.
  const zip = await eventually(async () => {
    const response = await fetch(new URL(url, service.baseUrl));
    const bytes = Buffer.from(await response.arrayBuffer());
    return response.status !== 409 && bytes;
  });
  return (await readZip(zip)).flatMap(({ path, bytes }) => {
    const type = TYPES[extname(path)];
    return type ? [{ type, bytes }] : [];
  });
}

const download = async ({ fileId }: Item, options: object = {}) =>
  filesIn((await call('POST', '/v2/downloads', { json: { file_ids: [fileId], ...options } })).body.url);
const zipOf = (share: ShareName, { mediaId }: Item) => filesIn(`${shares.get(share)}/zip?media_ids=${mediaId}`);
async function shownBy(share: ShareName, { mediaId }: Item) {
  const { url, thumbnails } = (await mediaOf(share)).find(({ id }: { id: number }) => id === mediaId);
  const urls = [url, ...thumbnails.map((each: { url: string }) => each.url)];
  return Promise.all(urls.filter((each) => each !== null).map(get));
}
const clipOf = async (share: ShareName, { mediaId }: Item) => [
  await get(`${shares.get(share)}/media/${mediaId}/video`),
];
const transformed = ({ url }: Item) =>
  Promise.all(
    ['jpeg', 'webp', 'avif', 'png'].flatMap((fm) =>
      ['', '&label=true'].map((label) => get(`${url}?w=192&fm=${fm}${label}`)),
    ),
  );

const isPicture = ({ type }: Item) => /^image\/(?!svg)/.test(type);
const isVideo = ({ type }: Item) => type === 'video/mp4';
const isSeen = ({ thumbnails }: Item) => thumbnails.length > 0;

/** Each way by which files leave the service, the items that have it, and the files. */
const WAYS: readonly (readonly [string, (item: Item) => boolean, (item: Item) => Promise<readonly FoundFile[]>])[] = [
  [
    'its URL and its thumbnails',
    () => true,
    ({ url, thumbnails }) => Promise.all([url, ...thumbnails.map((each) => each.url)].map(get)),
  ],
  ['a zip', () => true, (item) => download(item)],
  ['a zip with a label', () => true, (item) => download(item, { label: true })],
  ['a link', () => true, (item) => shownBy('plain', item)],
  ['the zip of a link', () => true, (item) => zipOf('plain', item)],
  ['a link with a watermark', isSeen, (item) => shownBy('watermark', item)],
  ['the zip of a link with a watermark', isSeen, (item) => zipOf('watermark', item)],
  ['a link with a label', isSeen, (item) => shownBy('label', item)],
  ['the zip of a link with a label', isSeen, (item) => zipOf('label', item)],
  ['a clip', isVideo, (item) => clipOf('watched', item)],
  ['a clip with a watermark', isVideo, (item) => clipOf('watermark', item)],
  ['a clip with a label', isVideo, (item) => clipOf('label', item)],
  ['other formats and sizes', isPicture, transformed],
];

const { save } = temporaryFolder();
const MARK_TAGS = ['XMP-iptcExt:DigitalSourceType', 'XMP-xmp:CreatorTool', 'XMP-dc:Identifier'];

/** The marks of files, as our reader and ExifTool read them; that reads no models. */
async function marksOf(files: readonly FoundFile[]) {
  const saved = await Promise.all(
    files.map(async ({ type, bytes }, index) => ({ type, path: await save(bytes, `file-${index}`) })),
  );
  const tags = HAS_EXIFTOOL
    ? await readTags(
        saved.map(({ path }) => path),
        ['XMP:all#'],
      )
    : null;
  return Promise.all(
    saved.map(async ({ path, type }) => {
      const { digitalSource, creatorTool, identifier } = await readMark(path, type);
      const mark = [digitalSource, creatorTool, identifier];
      const read = tags?.get(path);
      if (read && type !== TYPES['.glb']) expect(MARK_TAGS.map((name) => read[name])).toEqual(mark);
      return mark;
    }),
  );
}

const URIS = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

async function expectMarked(...[, has, files]: (typeof WAYS)[number]): Promise<void> {
  const found: { readonly name: string; readonly mark: readonly string[]; readonly file: FoundFile }[] = [];
  const outputs = OUTPUTS.filter(([name]) => has(items.get(name)!));
  for (const [name, source] of outputs) {
    const item = items.get(name)!;
    const mark = [URIS + source, 'x12', `generation ${item.id}`];
    for (const file of await files(item)) found.push({ name, mark, file });
  }
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(outputs.map(([name]) => name)));
  const marks = await marksOf(found.map(({ file }) => file));
  expect(marks.map((mark, index) => [found[index]!.name, mark])).toEqual(found.map(({ name, mark }) => [name, mark]));
}

describe('each output', () => {
  it.each(WAYS)('says that an AI system made it: %s', expectMarked);
});

const foreignBytes = async (name: string) => {
  const item = items.get(name)!;
  const zips = [await download(item), await zipOf('plain', item)];
  // The label of an output is drawn.
  if (name !== SIGNED_OUTPUT) zips.push(await download(item, { label: true }));
  return [await get(item.url), ...zips.flat()].map(({ bytes }) => bytes);
};

it.each([...FOREIGN])('%s comes back byte-identical', async (name, bytes) => {
  const found = await foreignBytes(name);
  expect(found.length).toBe(name === SIGNED_OUTPUT ? 3 : 4);
  expect(found.map((each) => each.equals(bytes))).toEqual(found.map(() => true));
});

it('all are in the export of the account as they are', async () => {
  const { id } = (await call('POST', '/v2/auth/export')).body.export;
  const url = await eventually(async () => (await call('GET', `/v2/auth/exports/${id}`)).body.export.url);
  const response = await fetch(url, { headers: { authorization: `Bearer ${user.token}` } });
  const exported = (await readZip(Buffer.from(await response.arrayBuffer()))).map(({ bytes }) => bytes);
  const before = await Promise.all([...items.values()].map((item) => get(item.url)));
  expect(before.map(({ bytes }) => exported.some((each) => each.equals(bytes)))).toEqual(before.map(() => true));
});

it('all come back from the trash as they were', async () => {
  const all = [...items.values()];
  const before = await Promise.all(all.map(({ url }) => get(url)));
  const statuses = () => Promise.all(all.map(async ({ url }) => (await fetch(url)).status));
  const deleted = [
    await call('DELETE', `/v2/boards/${board}`),
    await call('POST', '/v2/library/delete', { json: { file_ids: all.map(({ fileId }) => fileId) } }),
  ];
  expect(await statuses()).toEqual(all.map(() => 404));
  for (const { body } of deleted.reverse()) await call('POST', `/v2/trash/${body.trash_id}/restore`);
  await eventually(async () => (await statuses()).every((status) => status === 200));
  const after = await Promise.all(all.map(({ url }) => get(url)));
  expect(after.map(({ bytes }, index) => bytes.equals(before[index]!.bytes))).toEqual(all.map(() => true));
  for (const [way, has, files] of WAYS.slice(0, 2)) await expectMarked(way, has, files);
});

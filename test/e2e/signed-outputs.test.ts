/**
 * @tier deep, 20 s, about libs/adapters/images libs/adapters/c2pa libs/files libs/sources libs/download libs/sharing libs/transformation
 *
 * No lower layer has the signed bytes that clients download.
 */
import { beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { makeSigner } from '#adapters/c2pa';
import { eventually } from '../support/eventually.ts';
import { readZip } from '../support/read-zip.ts';
import { uploaded } from '../support/uploaded.ts';
import { callerOf, prepared, useFile, useService } from '../support/use-service.ts';

const signer = await makeSigner('Studio', new Date(), 1);
const service = useService({
  PROVENANCE: 'sign',
  PROVENANCE_KEY_FILE: useFile('key.pem', signer.key),
  PROVENANCE_CERTIFICATE_FILE: useFile('certificates.pem', signer.certificates),
});
const user = prepared(() => service.signUp());
const call = callerOf(service, user);

interface Output {
  readonly url: string;
  readonly file_id: number;
  readonly thumbnails: readonly { readonly url: string; readonly width: number }[];
}
let [picture, video]: Output[] = [];
let [pictureItem, videoItem] = [0, 0];
let guest: string;

async function newOutput(json: object): Promise<Output> {
  const { body } = await call('POST', '/v2/generate', { json: { prompt: 'a fox', ...json } });
  return eventually(async () => {
    const { finished_at, outputs } = (await call('GET', `/v2/generations/${body.generation_id}`)).body;
    return finished_at !== null && outputs[0];
  });
}

beforeAll(async () => {
  const create = { width: 96, height: 64, channels: 3, background: '#274e13' } as const;
  const image = await uploaded(service, user, 'photo.png', await sharp({ create }).png().toBuffer());
  [picture, video] = await Promise.all([
    newOutput({ model: 'local-image', width: 1100, height: 600 }),
    newOutput({ model: 'local-video', image, duration: 2, fps: 12, width: 128 }),
  ]);
  const { id: board } = (await call('POST', '/v2/boards', { json: { name: 'Foxes' } })).body.board;
  const onBoard = async ({ url }: Output) =>
    (await call('POST', `/v2/boards/${board}/media`, { json: { url } })).body.media.id as number;
  [pictureItem, videoItem] = [await onBoard(picture!), await onBoard(video!)];
  await eventually(async () =>
    (await call('GET', `/v2/boards/${board}`)).body.board.media.every(
      (each: { state: string }) => each.state === 'processed',
    ),
  );
  const json = { board_id: board, allow: ['download'], watermark: 'Draft', label: true };
  const { body } = await call('POST', '/v2/shares', { json });
  guest = new URL(body.share.url).pathname.replace('/s/', '/v2/shared/');
  await eventually(async () => (await sharedItems()).every((each) => each.is_prepared));
});

const sharedItems = async (): Promise<(Output & { readonly id: number; readonly is_prepared: boolean })[]> =>
  (await call('GET', `${guest}/media`)).body.media;

async function get(url: string): Promise<Buffer> {
  const response = await fetch(new URL(url, service.baseUrl));
  expect([url, response.status]).toEqual([url, 200]);
  return Buffer.from(await response.arrayBuffer());
}

const firstOf = async (zip: string) => [(await readZip(await get(zip)))[0]!.bytes];
async function download({ file_id }: Output, label: boolean): Promise<readonly Buffer[]> {
  const { body } = await call('POST', '/v2/downloads', { json: { file_ids: [file_id], label } });
  return firstOf(body.url);
}

const variants = () =>
  Promise.all(['jpeg', 'webp', 'avif', 'png', 'jpeg&label=true'].map((fm) => get(`${picture!.url}?w=1280&fm=${fm}`)));
const largeOf = ({ thumbnails }: Pick<Output, 'thumbnails'>) => get(thumbnails.find(({ width }) => width >= 1024)!.url);
async function restored(): Promise<readonly Buffer[]> {
  const { body } = await call('DELETE', `/v2/library/${picture!.file_id}`);
  await call('POST', `/v2/trash/${body.trash_id}/restore`);
  return [await get(picture!.url)];
}

it.each<[string, () => Promise<readonly Buffer[]>]>([
  ['a picture', async () => [await get(picture!.url)]],
  ['its large thumbnail', async () => [await largeOf(picture!)]],
  ['a picture in a zip', () => download(picture!, false)],
  ['a picture with a label in a zip', () => download(picture!, true)],
  ['other formats', variants],
  [
    'the large thumbnail of a copy for guests',
    async () => [await largeOf((await sharedItems()).find(({ id }) => id === pictureItem)!)],
  ],
  ['the copy in the zip of a link', () => firstOf(`${guest}/zip?media_ids=${pictureItem}`)],
  ['a picture out of the trash', restored],
  ['a video', async () => [await get(video!.url)]],
  ['a video in a zip', () => download(video!, true)],
  ['a clip', async () => [await get(`${guest}/media/${videoItem}/video`)]],
])('%s: is signed, and its signature is intact', async (_, files) => {
  const found = await files();
  for (const bytes of found) {
    const response = await fetch(`${service.baseUrl}/v2/provenance/check`, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/octet-stream' },
    });
    const { marks } = (await response.json()) as { marks: unknown[] };
    expect(marks).toEqual([
      expect.objectContaining({ kind: 'c2pa', signer: 'Studio', intact: true, trusted: true }),
      expect.objectContaining({ kind: 'xmp', signer: 'x12' }),
    ]);
  }
});

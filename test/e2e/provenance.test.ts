/**
 * @tier test
 *
 * HTTP alone has the three ways to send a file, and the size of a body.
 */
import { beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { provenanceOf, xmpPacketOf } from '#files';
import type { TestResponse } from '../support/call-api.ts';
import { expectRefusal } from '../support/expectations.ts';
import { ended, newClient, outsider, service } from '../support/generation-stage.ts';
import { signedJpeg } from '../support/signing-manifests.ts';
import { uploaded } from '../support/uploaded.ts';

const SOURCE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const XMP = { kind: 'xmp', signer: 'Vendor', intact: null, trusted: null, digital_source_type: SOURCE };
const C2PA = { kind: 'c2pa', signer: 'Vendor', intact: true, trusted: false, digital_source_type: SOURCE };

let client: Awaited<ReturnType<typeof newClient>>;
let plain: Buffer;
let marked: Buffer;
let signed: Buffer;
beforeAll(async () => {
  client = await newClient();
  const drawn = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } });
  plain = await drawn.jpeg().toBuffer();
  const mark = { source: 'trainedAlgorithmicMedia', name: 'Vendor', generationId: null } as const;
  marked = await drawn
    .withXmp(xmpPacketOf(provenanceOf(mark)))
    .jpeg()
    .toBuffer();
  signed = await signedJpeg('Vendor', marked, SOURCE);
});

const check = (body: RequestInit['body'], type?: string) =>
  fetch(`${service.baseUrl}/v2/provenance/check`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${client.user.token}`, ...(type && { 'content-type': type }) },
  }).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as TestResponse['body'],
  }));

it('the marks of a file are found in the body, in a form and by its URL', async () => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(signed)]), 'fox.jpg');
  const url = await uploaded(service, client.user, 'fox.jpg', signed);
  const asked = [
    await check(new Uint8Array(signed), 'image/jpeg'),
    await check(form),
    await check(JSON.stringify({ url }), 'application/json'),
    await check(new Uint8Array(signed), 'application/octet-stream'),
  ];
  for (const { status, body } of asked) expect([status, body.marks]).toEqual([200, [C2PA, XMP]]);
  expect((await check(new Uint8Array(marked), 'image/jpeg')).body.marks).toEqual([XMP]);
  expect((await check(new Uint8Array(plain), 'image/jpeg')).body.marks).toEqual([]);
  expect((await check('no picture', 'text/plain')).body.marks).toEqual([]);
});

it('a signed file that was changed is not intact', async () => {
  const changed = Buffer.from(signed);
  changed[changed.length - 10]! ^= 1;
  expect((await check(new Uint8Array(changed), 'image/jpeg')).body.marks).toEqual([{ ...C2PA, intact: false }, XMP]);
});

it('a check needs a file of the workspace, or one that is not too large', async () => {
  const theirs = await uploaded(service, outsider, 'theirs.jpg', plain);
  const byUrl = (url: string) => check(JSON.stringify({ url }), 'application/json');
  expectRefusal(await byUrl(theirs), 404, 'not_found');
  expectRefusal(await byUrl('https://example.com/fox.jpg'), 404, 'not_found');
  expectRefusal(await check('{}', 'application/json'), 400, 'validation_failed', 'url');
  expectRefusal(await check('{"file": "a"}', 'application/json'), 400, 'validation_failed', 'file');
  expectRefusal(await check(new Uint8Array(51 * 1024 * 1024), 'image/jpeg'), 413, 'too_large');
});

it('a vendor’s signed file and a foreign upload come back byte-identical, and the library says whose they are', async () => {
  const url = await uploaded(service, client.user, 'signed.jpg', signed);
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(signed)).toBe(true);
  const { file_id: id } = (await client.get('/v2/library?q=signed')).body.items[0];
  const { body } = await client.get(`/v2/library/${id}/provenance`);
  const nothing = { generation_id: null, model: null, parents: [] };
  expect(body).toMatchObject({ source: 'uploaded', digital_source_type: SOURCE, ...nothing, marks: [C2PA, XMP] });
  const { token } = outsider;
  expectRefusal(await service.call('GET', `/v2/library/${id}/provenance`, { token }), 404, 'not_found');
});

it('an output names its generation, its model and the pictures that went in', async () => {
  const image = await uploaded(service, client.user, 'input.jpg', plain);
  const { body: started } = await client.generate({
    model: 'local-image',
    prompt: 'a hare',
    image,
    width: 64,
  } as never);
  const { id, outputs } = await ended(client, started.generation_id);
  const items = (await client.get('/v2/library?q=input')).body.items;
  const all = (await client.get('/v2/library')).body.items as { url: string; file_id: number }[];
  const { file_id: fileId } = all.find(({ url }) => url === outputs[0].url)!;
  const { body } = await client.get(`/v2/library/${fileId}/provenance`);
  expect(body).toMatchObject({
    source: 'generated',
    digital_source_type: SOURCE.replace('trained', 'compositeWithTrained'),
    generation_id: id,
    model: 'local-image',
    parents: [items[0].file_id],
  });
});

/** @tier test */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { startService, type TestService, type TestUser } from '../support/service.ts';
const PLACE = '52,31.0N 13,24.0E';

/** As a camera saves it: it says where it was taken. */
const photo = (orientation = 1): Promise<Buffer> =>
  sharp({ create: { width: 80, height: 60, channels: 3, background: 'teal' } })
    .withMetadata({ orientation })
    .withExifMerge({ IFD0: { Copyright: PLACE }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><exif:GPSLatitude>${PLACE}</exif:GPSLatitude></x:xmpmeta>`)
    .jpeg()
    .toBuffer();

describe.each(['keep', 'strip'] as const)('with UPLOAD_METADATA=%s', (rule) => {
  let service: TestService;
  let user: TestUser;
  beforeAll(async () => {
    service = await startService({ UPLOAD_METADATA: rule }, { worker: false });
    user = await service.signUp();
  });
  afterAll(() => service.stop());

  /** The response of finalize for a photograph. */
  async function send(bytes: Buffer) {
    const { token } = user;
    const { body: ticket } = await service.call('POST', '/v2/upload', { token, form: { filename: 'photo.jpg' } });
    await fetch(ticket.signed_url, { method: 'PUT', body: new Uint8Array(bytes) });
    return service.call('GET', `/v2/finalize_upload?url=${encodeURIComponent(ticket.final_url)}`, { token });
  }

  it(`${rule}s the metadata of a photograph`, async () => {
    const sent = await photo();
    const { body } = await send(sent);
    const saved = Buffer.from(await (await fetch(body.url)).arrayBuffer());
    expect([body.size, saved.equals(sent), saved.includes(PLACE)]).toEqual([
      ...[saved.length, rule === 'keep', rule === 'keep'],
    ]);
    const { exif, xmp } = await sharp(saved).metadata();
    expect([exif, xmp].every((each) => each === undefined)).toBe(rule === 'strip');
    const me = await service.call('GET', '/v2/auth/me', { token: user.token });
    expect(me.body.upload_metadata).toBe(rule);
  });

  it('shows a photograph upright that was held sideways', async () => {
    const { body } = await send(await photo(6));
    const saved = Buffer.from(await (await fetch(body.url)).arrayBuffer());
    expect((await sharp(saved).metadata()).autoOrient).toEqual({ width: 60, height: 80 });
  });

  it(`a picture that breaks off is ${rule === 'keep' ? 'saved' : 'refused'}`, async () => {
    const { body } = await send((await photo()).subarray(0, -40));
    expect(body).toMatchObject(rule === 'keep' ? { status: true } : { status: false, code: 'file_type_mismatch' });
  });
});

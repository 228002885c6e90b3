/** @tier test */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpVendorSchemas, knownEndOf } from '#adapters/providers';
import { ModelProposals, type JsonObject, type ProviderSettings } from '#catalogue';
import { startFakeFal, UNIT_PRICE, type FakeFal } from '../support/vendors/fal.ts';
import { startVendorServer, type VendorReply } from '../support/vendors/vendor-server.ts';

const KEY = 'vendor-key-s3cret';
const signal = new AbortController().signal;
const schemas = new HttpVendorSchemas({ allowedHosts: [], maxOutputBytes: 1_000_000 });
const LARGE = 'x'.repeat(10 * 1024 * 1024);

let reply: VendorReply;
let vendor: Awaited<ReturnType<typeof startVendorServer>>;
beforeEach(async () => {
  vendor = await startVendorServer(async () => reply);
});
afterEach(() => vendor.close());

const settingsOf = (baseUrl: string, type = 'replicate', key: string | null = KEY): ProviderSettings => ({
  ...{ id: 'vendor', type, baseUrl, key, maxConcurrent: 1, submissionsPerMinute: null },
});
const propose = (settings: ProviderSettings, target: string | null, workflow: JsonObject | null = null) =>
  new ModelProposals({ entries: { providers: [settings], models: [] } }, schemas, knownEndOf).propose(
    { provider: 'vendor', target, workflow, answers: {} },
    signal,
  );

describe('the description of a model', () => {
  it.each<[what: string, reply: VendorReply, message: string]>([
    ['refuses the key', { status: 401, body: {} }, 'the vendor refuses the key'],
    ['forbids it', { status: 403, body: {} }, 'the vendor refuses the key'],
    ['is broken', { status: 500, body: 'oops' }, 'the vendor cannot be reached'],
    ['drops the connection', 'drop', 'the vendor cannot be reached'],
    ['sends 10 MB', { status: 200, body: { paths: LARGE } }, 'the vendor cannot be reached'],
  ])('is unavailable when the vendor %s, and the key is in no message', async (_, given, message) => {
    reply = given;
    const error = await propose(settingsOf(vendor.url), 'owner/name').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'unavailable', message });
    expect(JSON.stringify(error)).not.toContain(KEY);
  });

  it('is unavailable while the vendor is away', async () => {
    await vendor.close();
    await expect(propose(settingsOf(vendor.url), 'owner/name')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each<[what: string, body: unknown]>([
    ['a page instead of JSON', '<html>'],
    ['a list', []],
    ['no schema', { latest_version: null }],
    ['a schema that is a text', { latest_version: { openapi_schema: { components: 'none' } } }],
  ])('that is %s is refused, and never crashes', async (_, body) => {
    reply = { status: 200, body };
    const error = await propose(settingsOf(vendor.url), 'owner/name').catch((thrown: unknown) => thrown);
    expect(['validation_failed', 'unavailable']).toContain((error as { code?: string }).code);
  });

  it('needs a target, or a workflow of ComfyUI, which needs no name', async () => {
    await expect(propose(settingsOf(vendor.url), null)).rejects.toThrow('target is missing');
    reply = { status: 200, body: {} };
    const workflow = { '1': { class_type: 'SaveImage', inputs: {} } };
    await expect(propose(settingsOf(vendor.url, 'comfyui', null), null, workflow)).resolves.toMatchObject({
      entry: { id: 'workflow' },
    });
  });

  it.each(['../../account', 'owner/..', './name'])(
    'is not asked for outside the path of models: %s',
    async (target) => {
      const asked: string[] = [];
      const other = await startVendorServer(async ({ url }) => {
        asked.push(url.pathname);
        return { status: 404 };
      });
      await expect(propose(settingsOf(other.url), target)).rejects.toMatchObject({
        fields: { target: ['is no model'] },
      });
      await expect(propose(settingsOf(other.url), 'a/b?x=#y')).rejects.toMatchObject({ code: 'validation_failed' });
      await other.close();
      expect(asked).toEqual(['/models/a/b%3Fx%3D%23y']);
    },
  );
});

describe('the price that fal tells', () => {
  let fal: FakeFal;
  beforeEach(async () => {
    fal = await startFakeFal({ key: KEY });
  });
  afterEach(() => fal.close());
  const read = (settings: ProviderSettings) => schemas.readPrice(settings, 'fal-ai/flux/dev', signal);

  it('is read with the key, by the endpoint', async () => {
    const price = { endpoint_id: 'fal-ai/flux/dev', unit_price: UNIT_PRICE, unit: 'image', currency: 'USD' };
    expect(await read(settingsOf(fal.url, 'fal'))).toMatchObject({ prices: [price] });
  });

  it('is unknown without a key, with a wrong one, of other vendors, and while fal is away', async () => {
    expect(await read(settingsOf(fal.url, 'fal', null))).toBeNull();
    expect(await read(settingsOf(fal.url, 'fal', 'wrong'))).toBeNull();
    expect(await read(settingsOf(fal.url, 'replicate'))).toBeNull();
    await fal.close();
    expect(await read(settingsOf(fal.url, 'fal'))).toBeNull();
  });
});

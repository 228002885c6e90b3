/** @tier test */
import { mkdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FF_ENCODER_LIBVPX_VP8 } from 'node-av/constants';
import sharp from 'sharp';
import type { C2paManifests } from '#adapters/c2pa';
import { FfmpegVideos, MagicFileTypes, PictureProcesses, SharpPictures } from '#adapters/images';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import type { ModelKind } from '#catalogue';
import type { Files, Marking, SeenPicture } from '#files';
import { OutputFiles, type ProvenanceRules } from '#generation';
import { DerivedFiles, type FilePreview, type Manifests } from '#sources';
import { RecordedJobs } from '#testing/kernel';
import { anSvg, aPng, temporaryFolder } from '#testing/sources';
import { readMark } from '../../libs/adapters/images/src/marks/marks.ts';
import { useBomb } from '../../libs/adapters/images/src/testing/hostile-pictures.ts';
import { signingManifests } from '../support/signing-manifests.ts';
import { aVideo } from '../support/sample-video.ts';
const MAX_BYTES = 2_000_000;
const NO_LABELS = { label: null, score: null };
const FROM = { generationId: 12, hasPictures: false };
const { fileAt, save, list } = temporaryFolder();
const processes = new PictureProcesses();
let outputs: OutputFiles;
/** Stored files, in order. */
const stored: { filename: string; contentType: string; bytes: Buffer; seen?: SeenPicture; marking: unknown }[] = [];
const reported: Marking[] = [];
let mode: ProvenanceRules['mode'];
let signing: C2paManifests;
beforeAll(async () => void (signing = await signingManifests('Studio')));
afterAll(() => signing.close());
const manifests: Pick<Manifests, 'signs' | 'sign'> = {
  get signs() {
    return mode === 'sign';
  },
  sign: (...args) => signing.sign(...args),
};
const jobs = new RecordedJobs();
let room = Infinity;
const database = { isAway: false };

const webm = await aVideo({ width: 640, height: 360, seconds: 1, format: 'webm', encoder: FF_ENCODER_LIBVPX_VP8 });
beforeEach(async () => {
  stored.length = 0;
  reported.length = 0;
  mode = 'mark';
  jobs.announced.length = 0;
  room = Infinity;
  database.isAway = false;
  const files: Pick<Files, 'store'> = {
    store: async (request) => {
      if (stored.length === room) throw new Error('the storage is gone');
      const bytes = 'file' in request ? await readFile(request.file) : request.bytes;
      const { filename, contentType, seen, marking } = request;
      stored.push({ filename, contentType, bytes, seen, marking });
      return { id: stored.length, key: `${stored.length}` } as never;
    },
  };
  outputs = new OutputFiles({
    derived: new DerivedFiles({
      files,
      derivatives: new SharpPictures(processes),
      videos: new FfmpegVideos(processes),
      manifests,
      jobs,
      unitOfWork: { run: (work) => (database.isAway ? Promise.reject(new Error('no database')) : work()) },
    }),
    fileTypes: new MagicFileTypes(),
    folders: await DiskTemporaryFolders.open(fileAt('tmp')),
    maxBytes: MAX_BYTES,
    provenance: {
      get mode() {
        return mode;
      },
      name: 'Studio',
    },
    report: (marking) => reported.push(marking),
  });
});

const check = async (bytes: Buffer, kind: ModelKind, labels = NO_LABELS as Parameters<OutputFiles['check']>[2]) =>
  outputs.check(
    await save(bytes, 'made'),
    { id: 'model', kind, result: null },
    labels,
    FROM,
    new AbortController().signal,
  );
const glb = () => {
  const json = Buffer.from('{"asset":{"version":"2.0"}}  ');
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0\0\0\0\0JSON', 'latin1');
  head.writeUInt32LE(head.length + json.length, 8);
  head.writeUInt32LE(json.length, 12);
  return Buffer.concat([head, json]);
};
const photo = (format: 'png' | 'jpeg' | 'webp' | 'gif') =>
  sharp(aPng({ width: 600, height: 400 }))
    .toFormat(format)
    .withMetadata({ exif: { IFD0: { Copyright: 'a vendor' } } })
    .toBuffer();

const RUNNING = { id: 12, request: { workspaceId: 1, personaId: 2, parameters: {} } } as never;
const OUTPUTS: [ModelKind, string, () => Promise<Buffer> | Buffer, Partial<FilePreview> | null][] = [
  ['image', 'image/png', () => photo('png'), { width: 600, height: 400 }],
  ['image', 'image/jpeg', () => photo('jpeg'), { width: 600, height: 400 }],
  ['image', 'image/webp', () => photo('webp'), { width: 600, height: 400 }],
  ['image', 'image/gif', () => photo('gif'), { width: 600, height: 400 }],
  ['mask', 'image/png', () => photo('png'), { width: 600, height: 400 }],
  ['vector', 'image/svg+xml', () => anSvg({ width: 600, height: 400 }), { width: 600, height: 400 }],
  ['video', 'video/webm', () => webm, { width: 640, height: 360, duration: expect.closeTo(1, 1) as never }],
  ['video', 'video/mp4', () => aVideo({ width: 640, height: 360, seconds: 1 }), { width: 640, height: 360 }],
  ['model3d', 'model/gltf-binary', () => glb(), null],
];

describe('the outputs of a provider', () => {
  it.each(OUTPUTS)(
    'is kept byte for byte where outputs are not marked: %s as %s, with thumbnails where it has a picture',
    async (kind, contentType, make, facts) => {
      mode = 'off';
      const bytes = await make();
      const labels = kind === 'mask' ? { label: 'sofa', score: 0.5 } : NO_LABELS;
      const checked = await check(bytes, kind, labels);
      expect(checked).toMatchObject({ contentType, preview: facts, marking: null, ...labels });
      const large = kind === 'vector' ? 1024 : kind === 'video' ? 640 : 600;
      const thumbnails = checked.preview?.thumbnails ?? [];
      expect(thumbnails.map(({ width }) => width)).toEqual(facts ? [320, large] : []);
      for (const { file, width, height } of thumbnails) {
        const metadata = await sharp(file).metadata();
        expect(metadata).toMatchObject({ format: 'webp', width, height });
        expect(metadata).not.toHaveProperty('xmp');
      }

      const outputsStored = await outputs.store(RUNNING, [checked]);
      const extension = { 'image/jpeg': 'jpg', 'image/svg+xml': 'svg', 'model/gltf-binary': 'glb' }[contentType];
      const name = `generation-12.${extension ?? contentType.split('/')[1]}`;
      const names = facts ? ['generation-12-320.webp', `generation-12-${large}.webp`, name] : [name];
      expect(stored.map(({ filename }) => filename)).toEqual(names);
      const seen = {
        ...facts,
        thumbnails: facts
          ? [
              { key: '1', width: 320 },
              { key: '2', width: large },
            ]
          : [],
      };
      expect(stored.at(-1)).toMatchObject({ contentType, bytes, seen });
      expect(outputsStored).toEqual([{ fileId: stored.length, ...labels }]);
      expect(reported).toEqual([]);
    },
  );

  const source = (name: string) => `http://cv.iptc.org/newscodes/digitalsourcetype/${name}`;
  it.each(OUTPUTS)(
    'says that an AI system made it, as do its thumbnails: %s as %s',
    async (kind, type, make, facts) => {
      const bytes = await make();
      const checked = await check(bytes, kind);
      const isUnmarkable = type === 'video/webm';
      const marking = isUnmarkable ? 'unmarked' : 'marked';
      expect(checked).toMatchObject({ marking, preview: facts });
      const files = [...(isUnmarkable ? [] : [{ file: checked.file, type }])];
      for (const { file } of checked.preview?.thumbnails ?? []) files.push({ file, type: 'image/webp' });
      for (const each of files) {
        const expected = { digitalSource: source('trainedAlgorithmicMedia'), creatorTool: 'Studio' };
        expect(await readMark(each.file, each.type)).toMatchObject({ ...expected, identifier: 'generation 12' });
      }
      await outputs.store(RUNNING, [checked]);
      expect(stored.at(-1)).toMatchObject({ contentType: type, bytes: await readFile(checked.file), marking });
      expect(reported).toEqual([marking]);
    },
  );

  describe('where outputs are signed', () => {
    const facts = { signer: 'Studio', intact: true, trusted: true, digitalSource: source('trainedAlgorithmicMedia') };
    const signed = async (bytes: Buffer, kind: ModelKind) => {
      mode = 'sign';
      const checked = await check(bytes, kind);
      await outputs.store(RUNNING, [checked]);
      expect(reported).toEqual([checked.marking]);
      return checked;
    };

    it('has a manifest beside its mark, and its large thumbnail one that names it as the parent', async () => {
      const ground = { width: 1200, height: 800, channels: 3, background: '#a52' } as const;
      const bytes = await sharp({ create: ground }).png().toBuffer();
      const { file, marking, preview } = await signed(bytes, 'image');
      expect(marking).toBe('signed');
      expect(await signing.find(file, 'image/png')).toEqual(facts);
      expect(await readMark(file, 'image/png')).toMatchObject({ creatorTool: 'Studio', isInXmp: true });
      const [small, large] = preview!.thumbnails;
      expect(await signing.find(small!.file, 'image/webp')).toBeNull();
      expect(await signing.find(large!.file, 'image/webp')).toEqual(facts);
      expect((await readFile(large!.file)).includes('c2pa.opened')).toBe(true);
      const pixels = (picture: string | Buffer) => sharp(picture).raw().toBuffer();
      expect((await pixels(file)).equals(await pixels(bytes))).toBe(true);
    });

    it('is marked alone if its type takes no manifest', async () => {
      expect((await signed(glb(), 'model3d')).marking).toBe('marked');
    });

    it('keeps the signature of its vendor, byte for byte', async () => {
      const { file } = await signed(await photo('png'), 'image');
      const bytes = await readFile(file);
      reported.length = 0;
      const kept = await signed(bytes, 'image');
      expect(kept.marking).toBe('kept');
      expect((await readFile(kept.file)).equals(bytes)).toBe(true);
    });
  });

  it('says that a picture went in', async () => {
    const file = await save(aPng(), 'made');
    const from = { generationId: null, hasPictures: true };
    const { signal } = new AbortController();
    const checked = await outputs.check(file, { id: 'model', kind: 'image', result: null }, NO_LABELS, from, signal);
    const digitalSource = source('compositeWithTrainedAlgorithmicMedia');
    expect(await readMark(checked.file, 'image/png')).toMatchObject({ digitalSource, identifier: null });
  });

  it('is kept byte for byte with a mark of its vendor; its thumbnails have ours', async () => {
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><a DigitalSourceType="${source('digitalArt')}"/></x:xmpmeta>`;
    const bytes = await sharp(aPng({ width: 600, height: 400 }))
      .withXmp(xmp)
      .jpeg()
      .toBuffer();
    const checked = await check(bytes, 'image');
    expect([checked.marking, (await readFile(checked.file)).equals(bytes)]).toEqual(['kept', true]);
    const [thumbnail] = checked.preview!.thumbnails;
    expect(await readMark(thumbnail!.file, 'image/webp')).toMatchObject({ creatorTool: 'Studio' });
  });

  it.each(['image', 'model3d'] as const)('is stored unmarked when its mark can not be written: %s', async (kind) => {
    await mkdir(fileAt('made-marked'));
    const bytes = kind === 'image' ? aPng() : glb();
    const checked = await check(bytes, kind);
    expect([checked.marking, (await readFile(checked.file)).equals(bytes)]).toEqual(['unmarked', true]);
  });

  const html = Buffer.from('<!doctype html><html><body>Bad gateway</body></html>');
  it.each<[string, ModelKind, () => Promise<Buffer> | Buffer]>([
    ['HTML instead of a picture', 'image', () => html],
    ['an empty file', 'image', () => Buffer.alloc(0)],
    ['a picture that breaks off', 'image', async () => (await photo('png')).subarray(0, -20)],
    ['a JPEG that breaks off', 'image', async () => (await photo('jpeg')).subarray(0, -200)],
    ['a JPEG as a mask', 'mask', () => photo('jpeg')],
    ['a drawing with entities', 'vector', () => Buffer.from(`<!DOCTYPE svg [<!ENTITY a "a">]>${anSvg()}`)],
    ['a drawing that draws without end', 'vector', () => anSvg({ content: useBomb(12) })],
    ['a video that breaks off', 'video', () => webm.subarray(0, -1)],
    ['a 3D model that breaks off', 'model3d', () => glb().subarray(0, -1)],
    ['more bytes than are allowed', 'image', () => Buffer.concat([aPng(), Buffer.alloc(MAX_BYTES)])],
  ])('is refused, with nothing left behind, when it is %s', async (_what, kind, make) => {
    const failure = await check(await make(), kind).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ProviderFailure', code: 'unusable_output', retryable: false });
    expect((failure as Error).message).toMatch(/^the model did not make a usable [\w ]+$/);
    expect((await list()).filter((name) => name !== 'tmp')).toEqual(['made']);
  });

  it('is deleted again when a part could not be stored', async () => {
    const checked = await check(await photo('png'), 'image');
    room = 4;
    await expect(outputs.store(RUNNING, [checked, checked])).rejects.toThrow('the storage is gone');
    expect(jobs.announced).toMatchObject([{ name: 'files.reclaim', payload: { fileIds: [1, 2, 3, 4] } }]);
  });

  it('names why it could not be stored, when its deletion cannot be scheduled either', async () => {
    const checked = await check(await photo('png'), 'image');
    room = 1;
    database.isAway = true;
    await expect(outputs.store(RUNNING, [checked])).rejects.toThrow('the storage is gone');
  });

  it('is not looked at further once the run has been stopped', async () => {
    const stopping = new AbortController();
    stopping.abort(new Error('stopping'));
    const file = await save(await photo('png'), 'made');
    const checking = outputs.check(
      file,
      { id: 'model', kind: 'image', result: null },
      NO_LABELS,
      FROM,
      stopping.signal,
    );
    await expect(checking).rejects.toThrow('stopping');
  });
});

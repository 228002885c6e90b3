import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LASTING, MODEL_KINDS } from '#catalogue';
import { CATALOGUE_SCHEMA, readCatalog } from './index.ts';
import {
  env,
  hd,
  local,
  model,
  ofModel,
  provider,
  read,
  SECRET,
  types,
  useCatalogueFolder,
} from './testing/catalogue-folder.ts';

useCatalogueFolder();

describe('the catalogue', () => {
  it('has the local models and the providers of the environment without a file', () => {
    const given = { id: 'fal', type: 'fal', baseUrl: null, key: 'k', maxConcurrent: 2, submissionsPerMinute: null };
    const unknown = { ...given, id: 'gone', type: 'gone' };
    const catalog = readCatalog({ file: null, env, types, local, providers: [given, unknown] });
    expect(catalog).toEqual({ providers: [given], models: local });
  });

  it('has the entries of the file, with defaults for missing fields', () => {
    const { providers, models } = read(ofModel({}));
    expect(providers).toEqual([
      {
        id: 'vendor',
        type: 'replicate',
        baseUrl: null,
        baseUrls: null,
        key: SECRET,
        maxConcurrent: 4,
        submissionsPerMinute: null,
      },
      expect.objectContaining({ id: 'studio', baseUrl: 'http://10.0.0.7:8188', key: null }),
    ]);
    const none = {
      ...{ image: 'none', style: 'none', references: 'none', maxReferences: 6, mask: 'none', control: 'none' },
      ...{ styleWeights: 'none', pictures: 'none', minPictures: 1, maxPictures: 20 },
    };
    const { cost: _cost, ...same } = model;
    expect(models).toEqual([
      local[0],
      {
        ...same,
        title: 'interior',
        description: null,
        tasks: [],
        family: null,
        workflow: null,
        inputs: none,
        parameters: {},
        cost: { credits: 4, parameter: null, per: 'output' },
        revision: null,
        result: null,
        timeLimitSeconds: 600,
        ...LASTING,
      },
    ]);
  });

  it('reads all fields, and YAML with anchors and merges', () => {
    const { providers, models } = read(`
providers:
  - { id: vendor, type: fal, key: MY_KEY, base_url: "https://fal.example/v1", max_concurrent: 8, submissions_per_minute: 60 }
x-shared: &shared
  seed: { type: integer, minimum: 0 }
models:
  - id: upscale
    title: Upscale
    description: Enlarges a picture.
    kind: image
    tasks: [upscale, vary]
    family: flux
    provider: vendor
    target: fal-ai/upscaler
    inputs: { image: required, references: optional, max_references: 3 }
    parameters:
      <<: *shared
      hd: { type: integer, enum: [2, 4], default: 2 }
    mapping: { image_url: "{image}", more: ["{references}"], scale: "{hd}" }
    cost: { credits: { 2: 3, 4: 6.5 }, parameter: hd }
    time_limit: 86400
    retires_at: 2026-10-23
    successor: later
    aliases: [upscaler, owner/upscale]
`);
    expect(providers[0]).toMatchObject({
      baseUrl: 'https://fal.example/v1',
      maxConcurrent: 8,
      submissionsPerMinute: 60,
    });
    expect(models[1]).toMatchObject({
      title: 'Upscale',
      tasks: ['upscale', 'vary'],
      family: 'flux',
      inputs: { image: 'required', references: 'optional', maxReferences: 3, mask: 'none' },
      parameters: { seed: { type: 'integer', minimum: 0 }, hd },
      cost: { credits: { 2: 3, 4: 6.5 }, parameter: 'hd', per: 'output' },
      timeLimitSeconds: 86_400,
      retiresAt: new Date('2026-10-23T00:00:00Z'),
      successor: 'later',
      aliases: ['upscaler', 'owner/upscale'],
    });
  });

  it('reads several ComfyUI servers, the first as its URL', () => {
    const urls = ['http://10.0.0.7:8188', 'http://10.0.0.8:8188'];
    const { providers } = read(`providers: [{ id: studio, type: comfyui, base_urls: ${JSON.stringify(urls)} }]`);
    expect(providers.find(({ id }) => id === 'studio')).toMatchObject({ baseUrl: urls[0], baseUrls: urls, key: null });
  });

  it('renames local models, and replaces models and providers by id', () => {
    const entries = [
      { id: 'painter', provider: 'local', target: 'local-image', kind: 'image', cost: 0 },
      { ...model, id: 'local-image' },
    ];
    const given = { id: 'vendor', type: 'fal', baseUrl: null, key: 'k', maxConcurrent: 2, submissionsPerMinute: null };
    const { models, providers } = read(JSON.stringify({ providers: [provider], models: entries }), {
      providers: [given],
    });
    expect(models.map(({ id, provider }) => [id, provider])).toEqual([
      ['local-image', 'vendor'],
      ['painter', 'local'],
    ]);
    expect(models[1]).toEqual({ ...local[0], id: 'painter', cost: { credits: 0, parameter: null, per: 'output' } });
    expect(providers).toMatchObject([{ id: 'vendor', type: 'replicate' }]);
  });

  it.each([undefined, '', '  \n'])('has no description for an entry with %j', (description) => {
    expect(read(ofModel({ description })).models[1]!.description).toBe(null);
    const painter = {
      provider: 'local',
      target: 'local-image',
      id: 'painter',
      kind: undefined,
      mapping: undefined,
      description,
    };
    expect(read(ofModel(painter)).models[1]!.description).toBe(local[0]!.description);
  });

  it('reads the workflow of a ComfyUI model beside the file', () => {
    const entry = { provider: 'studio', target: 'flows/text.json', mapping: { '6.inputs.text': '{prompt}' } };
    expect(read(ofModel(entry)).models[1]!.workflow).toHaveProperty('6.class_type', 'CLIPTextEncode');
  });

  it.each(MODEL_KINDS)('accepts models of the kind %s', (kind) => {
    const training = {
      ...{ family: 'oils', inputs: { pictures: 'required' }, mapping: { images: '{pictures}' } },
      result: { reference: 'style_id' },
    };
    expect(read(ofModel({ kind, ...(kind === 'style' && training) })).models[1]!.kind).toBe(kind);
  });

  it('accepts a trained style in the mapping, and as the target', () => {
    const styled = { family: 'oils', inputs: { style_weights: 'required' } };
    const loras = [{ path: '{style_weights}' }];
    const [, mapped] = read(ofModel({ ...styled, mapping: { prompt: '{style_trigger} {prompt}', loras } })).models;
    expect(mapped).toMatchObject({ family: 'oils', inputs: { styleWeights: 'required' } });
    const mapping = { prompt: '{prompt}' };
    expect(read(ofModel({ ...styled, target: '{style_weights}', mapping })).models[1]).toMatchObject({ mapping });
  });
});

it('the published schema is up to date (npm run document-settings)', () => {
  const published = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'models.schema.json');
  expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(CATALOGUE_SCHEMA);
});

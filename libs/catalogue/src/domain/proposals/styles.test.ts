import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { proposeFal } from './fal.ts';
import { parseVendorJson } from './schema.ts';
import { familyOf } from './styles.ts';

const documents = readFileSync(join(import.meta.dirname, 'fixtures', 'fal.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => parseVendorJson(line) as { readonly paths: object });

const propose = (endpoint: string) => {
  const document = documents.find(({ paths }) => Object.hasOwn(paths, `/${endpoint}`));
  return proposeFal(document, { provider: 'fal', answers: { cost: 10 } }).entry;
};

describe('a trainer', () => {
  it('is proposed with the zip of pictures, its word, and where its weights are', () => {
    expect(propose('fal-ai/flux-lora-fast-training')).toMatchObject({
      kind: 'style',
      family: 'flux',
      tasks: [],
      inputs: { pictures: 'required' },
      mapping: { images_data_url: '{pictures}', trigger_word: '{trigger}', is_style: true, steps: '{steps}' },
      result: { weights: 'diffusers_lora_file.url' },
      time_limit: 7200,
    });
  });

  it('may return a reference of the vendor', () => {
    const { mapping, ...entry } = propose('fal-ai/recraft/v3/create-style');
    expect(entry).toMatchObject({ kind: 'style', family: 'recraft', result: { reference: 'style_id' } });
    expect(mapping).toEqual({ images_data_url: '{pictures}', base_style: '{base_style}' });
  });
});

describe('a model that uses styles', () => {
  it('takes weights in a list, and their word before the prompt', () => {
    const { inputs, family, mapping } = propose('fal-ai/flux-lora');
    expect([inputs, family]).toEqual([{ style_weights: 'optional' }, 'flux']);
    expect(mapping).toMatchObject({ loras: [{ path: '{style_weights}' }], prompt: '{style_trigger} {prompt}' });
  });

  it('takes the reference of a style in its field, without a word', () => {
    const { inputs, family, mapping } = propose('fal-ai/recraft/v3/text-to-image');
    expect([inputs, family]).toEqual([{ style_weights: 'optional' }, 'recraft']);
    expect(mapping).toMatchObject({ style_id: '{style_weights}', prompt: '{prompt}' });
  });

  it('has no family where it takes no style', () => {
    expect(propose('fal-ai/flux-pro/kontext')).not.toHaveProperty('family');
  });
});

it('names the family of a model by its base', () => {
  expect(familyOf('fal-ai/FLUX-lora')).toBe('flux');
  expect(familyOf('fal-ai/something')).toBeNull();
});

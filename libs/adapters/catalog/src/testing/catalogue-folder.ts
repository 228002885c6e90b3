import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeEach, expect } from '@jest/globals';
import { aModel } from '#testing/catalogue';
import { temporaryFolder } from '#testing/sources';
import { CatalogError, readCatalog, type CatalogSource } from '../index.ts';

export const SECRET = 'r8_4f9a2c7d1e8b3a6f';
export const env = { MY_KEY: SECRET, EMPTY: ' ' };
export const types = ['replicate', 'fal', 'openai', 'comfyui'];
export const local = [aModel({ id: 'local-image', target: 'local-image', provider: 'local', title: 'Painter' })];
export const provider = { id: 'vendor', type: 'replicate', key: 'MY_KEY' };
const comfyui = { id: 'studio', type: 'comfyui', base_url: 'http://10.0.0.7:8188' };
export const model = {
  id: 'interior',
  kind: 'image',
  provider: 'vendor',
  target: 'owner/name',
  mapping: { 'input.prompt': '{prompt}' },
  cost: 4,
};
export const hd = { type: 'integer', enum: [2, 4], default: 2 };

let fileAt: (name: string) => string;

/** Gives each test of a file a folder with workflows beside the catalogue. */
export function useCatalogueFolder(): void {
  ({ fileAt } = temporaryFolder());
  beforeEach(() => {
    mkdirSync(fileAt('flows'));
    const nodes = { '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox' } } };
    writeFileSync(fileAt('flows/text.json'), JSON.stringify(nodes));
    writeFileSync(fileAt('editor.json'), JSON.stringify({ nodes: [], links: [] }));
    writeFileSync(fileAt('broken.json'), '{');
  });
}

/** Reads a catalogue with this text. */
export function read(text: string, source: Partial<CatalogSource> = {}) {
  const file = fileAt('models.yaml');
  writeFileSync(file, text);
  return readCatalog({ file, env, types, local, ...source });
}

/** The lines of the error that refuses a catalogue with this text. None contains the key. */
export function problemsOf(text: string, source: Partial<CatalogSource> = {}): readonly string[] {
  try {
    read(text, source);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    expect(error.message).not.toContain(SECRET);
    return error.message.split('\n');
  }
  throw new Error(`accepted: ${text}`);
}

/** A catalogue with one model. */
export const ofModel = (overrides: object, providers: readonly object[] = [provider, comfyui]) =>
  JSON.stringify({ providers, models: [{ ...model, ...overrides }] });

import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startFakeComfyUi } from './comfyui.ts';
import { startFakeFal } from './fal.ts';
import type { FakeVendor } from './fake-vendor.ts';
import { startFakeOpenAi } from './openai.ts';
import { startFakeReplicate } from './replicate.ts';
import type { FakeVendorOptions } from './vendor-fake.ts';

const STARTS = { replicate: startFakeReplicate, fal: startFakeFal, openai: startFakeOpenAi, comfyui: startFakeComfyUi };
export type VendorName = keyof typeof STARTS;
export const VENDOR_NAMES = Object.keys(STARTS) as VendorName[];

/** Key that the fakes accept. */
const KEY = 'fake-key';
const WORKFLOW = join(import.meta.dirname, '../../../docs/comfyui/text-to-image.json');

export interface AllVendors {
  readonly fakes: Readonly<Record<VendorName, FakeVendor>>;
  /** The settings by which the service finds them, and their models. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Starts all fakes, and writes a catalogue with a model of each into the folder: `fake-replicate`, `fake-fal`,
 * `fake-openai`, which take every picture, and `fake-comfyui`.
 *
 * @param firstPort of ports in a row; free ones by default
 */
export async function startAllVendors(
  folder: string,
  { firstPort = 0, ...options }: { firstPort?: number } & Pick<FakeVendorOptions, 'workMs' | 'picture'> = {},
): Promise<AllVendors> {
  const start = (name: VendorName): Promise<FakeVendor> =>
    STARTS[name]({ port: firstPort && firstPort + VENDOR_NAMES.indexOf(name), key: KEY, ...options });
  const [replicate, fal, openai, comfyui] = await Promise.all([
    start('replicate'),
    start('fal'),
    start('openai'),
    start('comfyui'),
  ]);
  const fakes = { replicate, fal, openai, comfyui };
  await mkdir(folder, { recursive: true });
  await cp(WORKFLOW, join(folder, 'text-to-image.json'));
  const file = resolve(folder, 'models.json');
  await writeFile(file, JSON.stringify(catalogue(fakes.comfyui.url), null, 2));
  return {
    fakes,
    env: {
      MODELS_FILE: file,
      FAKE_COMFYUI_KEY: KEY,
      ...{ REPLICATE_API_TOKEN: KEY, REPLICATE_BASE_URL: fakes.replicate.url },
      ...{ FAL_KEY: KEY, FAL_BASE_URL: fakes.fal.url },
      ...{ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: fakes.openai.url },
    },
    close: async () => {
      await Promise.all(Object.values(fakes).map((fake) => fake.close()));
    },
  };
}

function catalogue(comfyUiUrl: string): object {
  const parameters = { seed: { type: 'integer', minimum: 0 } };
  const mapping = { prompt: '{prompt}', seed: '{seed}' };
  const images = ['{image}', '{style}', '{references}'];
  const inputs = { image: 'optional', style: 'optional', references: 'optional' };
  const common = { kind: 'image', cost: 2, time_limit: 300, parameters };
  const vendors = [
    { provider: 'replicate', target: 'black-forest-labs/flux-2-pro', mapping: { ...mapping, input_images: images } },
    { provider: 'fal', target: 'fal-ai/nano-banana-2/edit', mapping: { ...mapping, image_urls: images } },
    { provider: 'openai', target: 'gpt-image-2', mapping: { prompt: '{prompt}', image: images } },
  ];
  const workflow = {
    target: 'text-to-image.json',
    mapping: { '6.inputs.text': '{prompt}', '3.inputs.seed': '{seed}' },
  };
  return {
    providers: [{ id: 'comfyui', type: 'comfyui', base_url: comfyUiUrl, key: 'FAKE_COMFYUI_KEY' }],
    models: [
      ...vendors.map((vendor) => ({ id: `fake-${vendor.provider}`, ...common, inputs, ...vendor })),
      { id: 'fake-comfyui', ...common, provider: 'comfyui', ...workflow },
    ],
  };
}

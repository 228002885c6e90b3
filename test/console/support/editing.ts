import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { X12 } from '#client';
import type { TestService, TestUser } from '../../support/service.ts';
import { startFakeFal } from '../../support/vendors/fal.ts';
import { eventually } from '../../support/eventually.ts';

const FILL = {
  kind: 'image',
  provider: 'fal',
  inputs: { image: 'required', mask: 'required' },
  mapping: { prompt: '{prompt}', image_url: '{image}', mask_url: '{mask}' },
};
const MODELS = [
  { ...FILL, id: 'fill', title: 'Fill', target: 'fal-ai/fill', tasks: ['inpaint', 'outpaint'], cost: 6 },
  { ...FILL, id: 'fine-fill', title: 'Fine fill', target: 'fal-ai/fine-fill', tasks: ['inpaint'], cost: 9 },
  {
    ...{ id: 'objects', title: 'Objects', kind: 'mask', provider: 'fal', target: 'fal-ai/sam2/auto-segment', cost: 2 },
    ...{ inputs: { image: 'required' }, mapping: { image_url: '{image}' } },
  },
];

/** A model that makes pictures larger. */
export const UPSCALER = {
  ...{ id: 'larger', title: 'Larger', kind: 'image', provider: 'fal', target: 'fal-ai/larger', tasks: ['upscale'] },
  ...{ inputs: { image: 'required' }, mapping: { image_url: '{image}' }, cost: 2 },
};

/** A catalogue of models that edit, and others, run by a fake of their vendor. */
export async function startEditModels(others: readonly object[] = []) {
  const fal = await startFakeFal({ workMs: 30, edits: true });
  const folder = await mkdtemp(join(tmpdir(), 'x12-editing-'));
  const file = join(folder, 'models.json');
  await writeFile(file, JSON.stringify({ models: [...MODELS, ...others] }));
  const env = {
    ...{ MODELS_FILE: file, FAL_KEY: 'fal_test', FAL_BASE_URL: fal.url },
    PLANS: '{"free":{"monthly_credits":100000},"enterprise":{"monthly_credits":100000,"teams":true}}',
  };
  return { env, fal, close: () => Promise.all([fal.close(), rm(folder, { recursive: true })]) };
}

/** Uploads a picture. @returns its URL */
export async function storePicture({ baseUrl }: TestService, { token }: Pick<TestUser, 'token'>, bytes: Buffer) {
  const { url } = await new X12({ baseUrl, token }).upload(new Uint8Array(bytes), { filename: 'picture.jpg' });
  return url;
}

export const editorOf = (url: string) => `/edit?image=${encodeURIComponent(url)}`;

export const stageOf = (page: Page) => page.getByRole('application', { name: 'Picture to edit' });

/** Where a point of the picture is on the screen, once it is shown. */
export async function placesOn(page: Page, width: number) {
  const picture = stageOf(page).locator('img').first();
  await picture.waitFor();
  await eventually(async () => (await picture.boundingBox())!.width > 20);
  const box = (await picture.boundingBox())!;
  const scale = box.width / width;
  return { scale, at: (x: number, y: number) => [box.x + x * scale, box.y + y * scale] as const };
}

type Point = readonly [x: number, y: number];

/** Draws with the mouse through points of the picture. */
export async function draw(page: Page, width: number, ...[start, ...points]: [Point, ...Point[]]): Promise<void> {
  const { at } = await placesOn(page, width);
  await page.mouse.move(...at(...start));
  await page.mouse.down();
  for (const point of points) await page.mouse.move(...at(...point), { steps: 6 });
  await page.mouse.up();
}

/** A picture of the service, decoded to grey. */
export async function greyOf(url: string) {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const { format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { format, width, height, at: (x: number, y: number) => data[(y * width + x) * channels]! };
}

/** The newest generation of a user that has ended. */
export function endedOf(service: TestService, { token }: Pick<TestUser, 'token'>, model = 'fill') {
  return eventually(async () => {
    const { body } = await service.call('GET', '/v2/generations', { token });
    const [newest] = body.generations.filter((each: { model: string }) => each.model === model);
    return newest?.finished_at && newest;
  });
}

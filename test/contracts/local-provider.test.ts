import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Decoder, Demuxer, Scaler } from 'node-av/api';
import sharp, { type Sharp } from 'sharp';
import { createLocalProvider, LocalProvider } from '#adapters/providers';
import { ProviderFailure, type GenerationTask, type InputPicture, type ProviderOutput } from '#generation';
import { generationProviderContract } from '#testing/generation';
import { anSvg } from '#testing/sources';
import { eventually } from '../support/eventually.ts';

// Each task starts a process, on whatever else the machine is busy with.
jest.setTimeout(60_000);

let home: string;
let provider: LocalProvider;
let scene: InputPicture;
let painting: InputPicture;
let broken: InputPicture;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'local-provider-'));
  provider = await createLocalProvider({ warn: (message) => expect(message).toBe('') });
  scene = await drawing('scene.png', '#87b5e8', '#3b6b35', '#c8452e');
  painting = await drawing('painting.png', '#22305c', '#d8a13a', '#efe3c0');
  broken = { file: join(home, 'broken.png'), contentType: 'image/png' };
  await writeFile(broken.file, 'this is no picture');
});
afterAll(() => rm(home, { recursive: true, force: true }));

generationProviderContract(
  'local',
  async () => ({
    provider,
    pictures: [scene, painting],
    broken,
    quick: ({ kind }): Record<string, number> =>
      kind === 'image' ? { width: 96, height: 64 } : { width: 96, height: 64, duration: 2, fps: 12 },
    slow: ({ kind }): Record<string, number> =>
      kind === 'image' ? { width: 2048, height: 2048, count: 4 } : { width: 1280, height: 1280, duration: 8, fps: 30 },
    inspect,
  }),
  ['local-image', 'local-video'],
);

describe('the local image model', () => {
  it('leaves the input as it is at strength 0', async () => {
    const [output] = await make({ image: scene, parameters: { strength: 0, count: 1, seed: 1 } });
    const given = await pixels(scene.file, output!);
    expect(psnr(await pixels(output!.file, output!), given)).toBeGreaterThan(34);
  });

  it('comes out in the colours of the style reference, on the content of the input', async () => {
    const parameters = { strength: 0.75, count: 1, seed: 1 };
    const [output] = await make({ prompt: 'oil', image: scene, style: painting, parameters });
    const before = await meanColour(scene.file);
    const after = await meanColour(output!.file);
    const wanted = await meanColour(painting.file);
    expect(distance(after, wanted)).toBeLessThan(0.5 * distance(before, wanted));
    const light = async (file: string) => [
      ...(await sharp(file).greyscale().resize(24, 16, { fit: 'fill' }).raw().toBuffer()),
    ];
    expect(correlation(await light(scene.file), await light(output!.file))).toBeGreaterThan(0.75);
  });

  it('turns a picture upright, keeps its shape, and its size within a megapixel', async () => {
    const file = join(home, 'sideways.jpg');
    const raw = { create: { width: 3000, height: 1500, channels: 3 as const, background: '#8a7' } };
    await sharp(raw).withMetadata({ orientation: 6 }).jpeg().toFile(file);
    const [output] = await make({ image: { file, contentType: 'image/jpeg' }, parameters: {} });
    expect(output!.height / output!.width).toBeCloseTo(2, 1);
    expect(output!.width * output!.height).toBeLessThanOrEqual(1024 * 1024);
  });

  it('keeps transparency', async () => {
    const file = join(home, 'badge.png');
    const circle = '<circle cx="40" cy="40" r="24" fill="#d33"/>';
    await sharp(anSvg({ width: 80, height: 80, content: circle }))
      .png()
      .toFile(file);
    const [output] = await make({ image: { file, contentType: 'image/png' }, style: painting });
    const { data, info } = await sharp(output!.file).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    const alphaAt = (x: number, y: number) => data[(y * info.width + x) * 4 + 3];
    expect([alphaAt(3, 3), alphaAt(info.width >> 1, info.height >> 1)]).toEqual([0, 255]);
  });

  it.each([
    ['a grey one', (image: Sharp) => image.greyscale().png()],
    ['a 16-bit one', (image: Sharp) => image.toColourspace('rgb16').png()],
    ['one in CMYK', (image: Sharp) => image.toColourspace('cmyk').jpeg()],
    ['an animation', (image: Sharp) => image.gif()],
    ['a TIFF', (image: Sharp) => image.tiff()],
  ])('reads %s', async (_, encode) => {
    const file = join(home, 'input');
    await encode(sharp(scene.file)).toFile(file);
    const [output] = await make({ image: { file, contentType: 'application/octet-stream' } });
    expect(await inspect(output!.file)).toMatchObject({ contentType: 'image/webp', width: 96, height: 64 });
  });

  it('has a random seed for each generation without a seed', async () => {
    const [one] = await make({ generationId: 1, prompt: 'abstract' });
    const [other] = await make({ generationId: 2, prompt: 'abstract' });
    expect(await readFile(one!.file)).not.toEqual(await readFile(other!.file));
  });
});

describe('the local video model', () => {
  const small = { width: 192, height: 128, duration: 2, fps: 12 };

  it('starts at the start frame and moves away from it', async () => {
    const parameters = { ...small, strength: 1, seed: 3 };
    const [output] = await make({ model: 'local-video', image: scene, style: painting, parameters });
    const frames = await framesOf(output!.file);
    expect(frames).toHaveLength(24);
    const start = await pixels(scene.file, output!);
    const likeness = frames.map((frame) => psnr(frame, start));
    expect(likeness[0]).toBeGreaterThan(33);
    expect(likeness[6]).toBeLessThan(likeness[0]! - 3);
    expect(likeness.at(-1)).toBeLessThan(20);
    for (let i = 1; i < frames.length; i++) expect(psnr(frames[i]!, frames[i - 1]!)).toBeLessThan(60);
  });

  it.each([
    ['left', 1, -1],
    ['right', 1, 1],
    ['right', 0, 0],
  ])('moves the camera to the %s by its strength %d', async (prompt, strength, direction) => {
    const file = join(home, 'halves.png');
    const halves = Buffer.from(Array.from({ length: 192 * 128 }, (_, i) => (i % 192 < 96 ? 48 : 208)));
    await sharp(halves, { raw: { width: 192, height: 128, channels: 1 } }).toFile(file);
    const image = { file, contentType: 'image/png' };
    const [output] = await make({ model: 'local-video', prompt, image, parameters: { ...small, strength } });
    const [first, ...rest] = (await framesOf(output!.file)).map((frame) => frame.filter((value) => value > 128).length);
    expect(first! / (192 * 128 * 3)).toBeCloseTo(0.5, 1);
    expect(Math.sign(rest.at(-1)! - first!)).toBe(direction);
  });

  it('is H.264 in 4:2:0 with its index first, and has even sides whatever is asked for', async () => {
    const parameters = { width: 131, height: 77, duration: 2, fps: 12, strength: 0.5 };
    const [output] = await make({ model: 'local-video', image: scene, parameters });
    expect(output).toMatchObject({ width: 132, height: 78, duration: 2 });
    const bytes = await readFile(output!.file);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    expect(bytes.includes('avc1')).toBe(true);
    await using input = await Demuxer.open(output!.file);
    expect(input.video()!.codecpar).toMatchObject({ codecId: 27, format: 0 });
  });
});

describe('the rendering process', () => {
  const slowTask = () => {
    const parameters = { width: 1280, height: 1280, duration: 8, fps: 30, strength: 1 };
    return taskOf({ model: 'local-video', image: scene, parameters });
  };

  it('takes only its own task along when it crashes', async () => {
    const failure = provider.run(await slowTask(), watch()).catch((error: unknown) => error);
    process.kill(await childRendering(process.pid), 'SIGSEGV');
    expect(await failure).toMatchObject({ name: 'ProviderFailure', retryable: true });
    expect(await make({ image: scene })).toHaveLength(1);
  });

  it('is ended when it takes too long', async () => {
    const impatient = new LocalProvider(provider.models, { timeLimitMs: 300 });
    const task = await slowTask();
    const running = impatient.run(task, watch());
    await expect(running).rejects.toMatchObject({ message: 'rendering took too long', retryable: true });
    expect(await readdir(task.folder)).toEqual([]);
    expect(await renderingChildren(process.pid)).toEqual([]);
  });

  it('ends when its parent is killed', async () => {
    const program = `
      import { LocalProvider } from '#adapters/providers';
      const provider = new LocalProvider(${JSON.stringify(provider.models)});
      await provider.run(${JSON.stringify(await slowTask())}, { progress() {}, signal: new AbortController().signal });`;
    const options = ['--conditions=x12-source', '--experimental-transform-types', '--input-type=module', '-e', program];
    const parent = spawn(process.execPath, options, { stdio: 'ignore' });
    const child = await childRendering(parent.pid!);
    await sleep(500);
    parent.kill('SIGKILL');
    const isRendering = async () => (await renderingProcesses()).some(({ pid }) => pid === child);
    await eventually(async () => !(await isRendering()), { seconds: 5 });
  });

  it.each([
    [undefined, ['local-image'], ['the model local-video is not offered: no binary for this machine']],
    ['always', ['local-image', 'local-video'], []],
    ['never', ['local-image'], []],
  ] as const)('where FFmpeg can not be loaded and videos are wanted %s is for %j', async (video, models, told) => {
    const warnings: string[] = [];
    const made = await createLocalProvider({
      warn: (message) => warnings.push(message),
      ...(video && { video }),
      probeVideo: () => Promise.reject(new Error('no binary for this machine')),
    });
    expect(made.models.map(({ id }) => id)).toEqual(models);
    expect(warnings).toEqual(told);
  });

  it('is probed again when it died, later each time, until FFmpeg has loaded', async () => {
    const died = new ProviderFailure('provider_unavailable', 'rendering stopped unexpectedly', { retryable: true });
    const probes: number[] = [];
    const made = await createLocalProvider({
      warn: (message) => expect(message).toMatch('local-video is not offered yet: rendering stopped'),
      probeVideo: async () => {
        if (probes.push(performance.now()) <= 3) throw died;
      },
      pauseMs: 40,
    });
    expect(made.models.map(({ id }) => id)).toEqual(['local-image']);
    await eventually(async () => made.models.length === 2);
    const pauses = probes.slice(1).map((at, index) => at - probes[index]!);
    expect(pauses).toHaveLength(3);
    [39, 79, 159].forEach((least, index) => expect(pauses[index]).toBeGreaterThanOrEqual(least));
  });
});

async function taskOf(overrides: Partial<GenerationTask>): Promise<GenerationTask> {
  return {
    generationId: 1,
    model: 'local-image',
    prompt: 'watercolor',
    parameters: { width: 96, height: 64, count: 1, strength: 0.75 },
    image: null,
    style: null,
    folder: await mkdtemp(join(home, 'task-')),
    ...overrides,
  };
}

const watch = () => ({ progress: () => undefined, signal: new AbortController().signal });

const make = async (overrides: Partial<GenerationTask>): Promise<readonly ProviderOutput[]> =>
  provider.run(await taskOf(overrides), watch());

/** A sky over a ground with a house on it, in three colours with soft transitions. */
async function drawing(name: string, sky: string, ground: string, house: string): Promise<InputPicture> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="192" height="128">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset="1" stop-color="#eee"/></linearGradient></defs>
    <rect width="192" height="128" fill="url(#sky)"/>
    <path d="M0 84q48 -22 96 0t96 -8v52h-192z" fill="${ground}"/>
    <path d="M60 62l24 -20l24 20v34h-48z" fill="${house}"/><path d="M78 76h12v20h-12z" fill="#222"/></svg>`;
  const file = join(home, name);
  await sharp(Buffer.from(svg)).flatten().png().toFile(file);
  return { file, contentType: 'image/png' };
}

async function inspect(file: string): Promise<Omit<ProviderOutput, 'file'>> {
  if (!file.endsWith('.mp4')) {
    const { width, height, format } = await sharp(file).metadata();
    return { contentType: `image/${format}`, width, height, duration: null };
  }
  await using input = await Demuxer.open(file);
  const { width, height } = input.video()!.codecpar;
  const contentType = `video/${input.formatName.split(',').find((name) => name === 'mp4')}`;
  return { contentType, width, height, duration: input.duration };
}

async function pixels(file: string, { width, height }: { width: number; height: number }): Promise<Buffer> {
  return sharp(file).resize(width, height).removeAlpha().raw().toBuffer();
}

/** In RGB. */
async function framesOf(file: string): Promise<Buffer[]> {
  await using input = await Demuxer.open(file);
  const stream = input.video()!;
  using decoder = await Decoder.create(stream);
  using scaler = new Scaler();
  const frames: Buffer[] = [];
  for await (const frame of decoder.frames(input.packets(stream.index))) {
    if (!frame) break;
    frames.push(await scaler.toBuffer(frame, { format: 'rgb' }));
    frame.free();
  }
  return frames;
}

function psnr(one: Buffer, other: Buffer): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i]! - other[i]!) ** 2;
  return 10 * Math.log10(255 ** 2 / (sum / one.length));
}

async function meanColour(file: string): Promise<readonly number[]> {
  const { channels } = await sharp(file).removeAlpha().stats();
  return channels.map(({ mean }) => mean);
}

const distance = (one: readonly number[], other: readonly number[]) =>
  Math.hypot(...one.map((value, i) => value - other[i]!));

function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [m, n] = [mean(one), mean(other)];
  const covariance = mean(one.map((value, i) => (value - m) * (other[i]! - n)));
  const spread = (values: readonly number[], middle: number) => Math.sqrt(mean(values.map((v) => (v - middle) ** 2)));
  return covariance / (spread(one, m) * spread(other, n));
}

/** Process and parent of everything that renders on this machine. */
async function renderingProcesses(): Promise<{ pid: number; parent: number }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-e', '-o', 'pid=,ppid=,args=']);
  const lines = stdout.split('\n').filter((line) => line.includes('render-main'));
  return lines.map((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return { pid: pid!, parent: parent! };
  });
}

const renderingChildren = async (of: number) =>
  (await renderingProcesses()).filter(({ parent }) => parent === of).map(({ pid }) => pid);

const childRendering = (parent: number) =>
  eventually(async () => (await renderingChildren(parent))[0], { seconds: 10, everyMs: 25 });

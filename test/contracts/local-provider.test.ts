/** @tier deep, 90 s, about libs/adapters/providers libs/adapters/images */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Decoder, Demuxer, Scaler } from 'node-av/api';
import sharp, { type Sharp } from 'sharp';
import { createLocalProvider, LocalProvider } from '#adapters/providers';
import { ProviderFailure, type GenerationTask, type InputPicture, type ProviderOutput } from '#generation';
import { generationProviderContract } from '#testing/generation';
import { anSvg } from '#testing/sources';
import { eventually } from '../support/eventually.ts';

const SIZED = ['local-image', 'local-style', 'local-video'];
const WITHOUT_VIDEO = ['local-image', 'local-style', 'local-edit', 'local-mask'];

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
    // The others have no parameter that makes them slow.
    provider: new LocalProvider(provider.models.filter(({ id }) => SIZED.includes(id))),
    pictures: [scene, painting],
    broken,
    quick: ({ kind }): Record<string, number> =>
      kind === 'image' ? { width: 96, height: 64 } : { width: 96, height: 64, duration: 2, fps: 12 },
    slow: ({ kind }): Record<string, number> =>
      kind === 'image' ? { width: 2048, height: 2048, count: 4 } : { width: 1280, height: 1280, duration: 8, fps: 30 },
    inspect,
  }),
  SIZED,
);

describe('the local model for edits', () => {
  const [width, height] = [192, 128];
  /** White in a box. */
  const maskOf = async (name: string, box: { left: number; top: number; width: number; height: number }) => {
    const file = join(home, name);
    const white = {
      input: { create: { ...box, channels: 3 as const, background: '#fff' } },
      left: box.left,
      top: box.top,
    };
    await sharp({ create: { width, height, channels: 3, background: '#000' } })
      .composite([white])
      .png()
      .toFile(file);
    return { file, contentType: 'image/png' };
  };
  const raw = (file: string) => sharp(file).raw().toBuffer();
  const edit = async (overrides: Partial<GenerationTask>) =>
    make({ model: 'local-edit', image: scene, parameters: { count: 1, seed: 1 }, ...overrides });

  it('changes only what is white, and leaves every other pixel as it is', async () => {
    const box = { left: 40, top: 30, width: 80, height: 50 };
    const mask = await maskOf('box.png', box);
    const [first, second] = await edit({ mask, parameters: { count: 2, seed: 1 }, prompt: 'oil, at dusk' });
    const [before, after, other] = [await raw(scene.file), await raw(first!.file), await raw(second!.file)];
    expect(after).toHaveLength(before.length);
    let changed = 0;
    for (let at = 0; at < before.length; at++) {
      const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
      const isInside = x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height;
      if (isInside) changed += Math.abs(before[at]! - after[at]!);
      else if (before[at] !== after[at]) throw new Error(`pixel ${x}, ${y} was changed`);
    }
    expect(changed / (box.width * box.height * 3)).toBeGreaterThan(5);
    expect(other.equals(after)).toBe(false);
    expect(first).toMatchObject({ contentType: 'image/png', width, height });
    const [again] = await edit({ mask, parameters: { count: 1, seed: 1 }, prompt: 'oil, at dusk' });
    expect((await raw(again!.file)).equals(after)).toBe(true);
  });

  it('paints a single pixel, and the whole picture', async () => {
    for (const box of [
      { left: 191, top: 127, width: 1, height: 1 },
      { left: 0, top: 0, width, height },
    ]) {
      const [made] = await edit({ mask: await maskOf(`${box.width}.png`, box) });
      expect(made).toMatchObject({ width, height });
    }
  });

  it('needs something white', async () => {
    const file = join(home, 'black.png');
    await sharp({ create: { width, height, channels: 3, background: '#000' } })
      .png()
      .toFile(file);
    await expect(edit({ mask: { file, contentType: 'image/png' } })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'the mask is empty: nothing in it is white',
    });
    await expect(edit({ mask: null })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('the local model for regions', () => {
  it('finds the regions of a picture with the names of their colours, the largest first', async () => {
    const file = join(home, 'regions.png');
    const part = (left: number, top: number, background: string) => ({
      ...{ left, top },
      input: { create: { width: 100, height: 50, channels: 3 as const, background } },
    });
    const parts = [part(0, 50, '#20a030'), part(100, 50, '#c02020')];
    const ground = { create: { width: 200, height: 100, channels: 3 as const, background: '#2040d0' } };
    await sharp(ground).composite(parts).png().toFile(file);
    const task = { model: 'local-mask', image: { file, contentType: 'image/png' }, parameters: { regions: 6 } };
    const found = (await make(task)) as readonly (Picture & { label: string; score: number })[];
    expect(found.map(({ label }) => label)).toEqual(['blue, top', 'green, bottom left', 'red, bottom right']);
    for (const { score, width, height } of found) {
      expect([score > 0.8, width, height]).toEqual([true, 200, 100]);
    }
    const blue = await sharp(found[0]!.file).greyscale().raw().toBuffer();
    const at = (x: number, y: number) => blue[y * 200 + x];
    expect([at(20, 20), at(180, 20), at(20, 80), at(180, 80)]).toEqual([255, 255, 0, 0]);
    expect(new Set(blue)).toEqual(new Set([0, 255]));
    expect(await make({ ...task, parameters: { regions: 2 } })).toHaveLength(2);
  });
});

describe('the local image model', () => {
  it('leaves the input as it is at strength 0', async () => {
    const [output] = await make({ image: scene, parameters: { strength: 0, count: 1, seed: 1 } });
    const given = await pixels(scene.file, output!);
    expect(psnr(await pixels(output!.file, output!), given)).toBeGreaterThan(34);
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

describe('the local style model', () => {
  const train = async (pictures: readonly InputPicture[], run = provider) => {
    const [{ file, ...facts }] = (await run.run(await taskOf({ model: 'local-style', pictures }), watch())) as [
      ProviderOutput,
    ];
    return { style: { file, contentType: facts.contentType }, facts };
  };

  it('learns a small file, with which pictures and videos come out', async () => {
    const { style, facts } = await train([scene, painting, scene]);
    expect(facts).toEqual({ contentType: 'application/json', width: null, height: null, duration: null });
    expect((await stat(style.file)).size).toBeLessThan(200_000);
    for (const model of ['local-image', 'local-video']) {
      const parameters = { width: 96, height: 64, count: 1, strength: 0.75, duration: 2, fps: 12, seed: 1 };
      const task = { model, image: scene, parameters };
      const [plain] = await make(task);
      const [styled] = await make({ ...task, trainedStyle: style });
      expect(await readFile(styled!.file)).not.toEqual(await readFile(plain!.file));
    }
  });

  it('learns from large pictures in bounded memory', async () => {
    const file = join(home, 'large.png');
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
    await sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#888', noise } })
      .png({ compressionLevel: 1 })
      .toFile(file);
    const running = train(Array(20).fill({ file, contentType: 'image/png' }));
    const child = await childRendering(process.pid);
    let most = 0;
    const measure = setInterval(() => {
      void memoryOf(child).then((bytes) => (most = Math.max(most, bytes)));
    }, 50);
    await running.finally(() => clearInterval(measure));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(600 * 1024 ** 2);
  });

  it('refuses to learn from no pictures', async () => {
    await expect(train([])).rejects.toMatchObject({ code: 'invalid_input', retryable: false });
  });

  it.each([
    ['of another format', '{"format":"other","version":1}', 'it is not a style of the local models'],
    ['of another version', '{"format":"x12-local-style","version":2,"looks":[]}', 'it was made by another version'],
    ['that is damaged', '{"format":"x12-local-style","version":1,"looks":[{}]}', 'it is damaged'],
  ])('makes no picture from a style file %s', async (_, content, reason) => {
    const file = join(home, 'style-file.json');
    await writeFile(file, content);
    const message = expect.stringContaining(`the trained style can't be used: ${reason}`);
    const failure = { code: 'invalid_input', retryable: false, message };
    await expect(make({ trainedStyle: { file, contentType: 'application/json' } })).rejects.toMatchObject(failure);
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
    parent.kill('SIGKILL');
    const isRendering = async () => (await renderingProcesses()).some(({ pid }) => pid === child);
    await eventually(async () => !(await isRendering()));
  });

  it.each([
    [undefined, WITHOUT_VIDEO, ['the model local-video is not offered: no binary for this machine']],
    ['always', [...WITHOUT_VIDEO, 'local-video'], []],
    ['never', WITHOUT_VIDEO, []],
  ] as const)('where FFmpeg cannot be loaded and videos are wanted %s is for %j', async (video, models, expected) => {
    const warnings: string[] = [];
    const made = await createLocalProvider({
      warn: (message) => warnings.push(message),
      ...(video && { video }),
      probeVideo: () => Promise.reject(new Error('no binary for this machine')),
    });
    expect(made.models.map(({ id }) => id)).toEqual(models);
    expect(warnings).toEqual(expected);
  });

  it('is probed again when it died, later each time, until FFmpeg has loaded', async () => {
    const died = new ProviderFailure('provider_unavailable', 'rendering stopped unexpectedly', { retryable: true });
    let probes = 0;
    const { setTimeout } = global;
    const timers = jest
      .spyOn(global, 'setTimeout')
      .mockImplementation(((run: () => void) => setTimeout(run, 0)) as typeof setTimeout);
    const made = await createLocalProvider({
      warn: (message) => expect(message).toMatch('local-video is not offered yet: rendering stopped'),
      probeVideo: async () => {
        if (++probes <= 3) throw died;
      },
      pauseMs: 40,
    });
    expect(made.models.map(({ id }) => id)).toEqual(WITHOUT_VIDEO);
    while (made.models.length === WITHOUT_VIDEO.length) await new Promise(setImmediate);
    const pauses = timers.mock.calls.map(([, ms]) => ms);
    timers.mockRestore();
    expect(pauses).toEqual([40, 80, 160]);
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
    mask: null,
    pictures: [],
    trainedStyle: null,
    folder: await mkdtemp(join(home, 'task-')),
    ...overrides,
  };
}

const watch = () => ({ progress: () => undefined, signal: new AbortController().signal });

/** An output that has a size. */
type Picture = ProviderOutput & { readonly width: number; readonly height: number };

const make = async (overrides: Partial<GenerationTask>): Promise<readonly Picture[]> =>
  (await provider.run(await taskOf(overrides), watch())) as readonly Picture[];

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
  if (file.endsWith('.json')) {
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ format: 'x12-local-style', version: 1 });
    return { contentType: 'application/json', width: null, height: null, duration: null };
  }
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

/** The resident memory of a process; 0 when it has ended. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
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
  eventually(async () => (await renderingChildren(parent))[0], { everyMs: 25 });

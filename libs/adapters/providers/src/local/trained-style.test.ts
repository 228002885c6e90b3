import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { learnStyle } from './learn-style.ts';
import { readPicture } from './picture/files.ts';
import { meanOf } from './picture/picture.ts';
import { createRandom, type Random } from './picture/random.ts';
import { renderImage } from './render-image.ts';
import type { ImageTask } from './render-task.ts';
import { paletteDistance, paletteOf, type Palette } from './style/colours.ts';
import { joinLooks, lookOf, MAX_LOOKS } from './style/look.ts';
import { MAX_STYLE_FILE_BYTES, readStyleFile, writeStyleFile } from './style/style-file.ts';

const SIZE = { width: 96, height: 72 };
const noReport = () => Promise.resolve();

/** Draws the `index`th picture of a set as SVG. */
const SETS = {
  oil: (random: Random) => scene(random, ['#8a4a2b', '#d9703c', '#f8c25a', '#4a2218'], strokes(random)),
  ink: (random: Random) => scene(random, ['#edf1f3', '#e6ecef', '#c5d2dd', '#dfe7ec'], hatching(random)),
  poster: (random: Random) => scene(random, ['#0f6e6e', '#7fc8b2', '#17384a', '#e4572e'], ''),
};
type SetName = keyof typeof SETS;
const SET_NAMES = Object.keys(SETS) as SetName[];

let home: string;
const sets = {} as Record<SetName, { readonly files: string[]; readonly style: string }>;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'trained-style-'));
  for (const name of SET_NAMES) {
    const files = await Promise.all([1, 2, 3, 4, 5].map((seed) => drawn(name, seed)));
    sets[name] = { files, style: await train(name, files) };
  }
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('a trained style', () => {
  it.each(SET_NAMES)('brings the colours of paintings near to its pictures: %s', async (name) => {
    const { files, style } = sets[name];
    const wanted = await Promise.all(files.map(paletteIn));
    const content = await drawn(name === 'oil' ? 'ink' : 'oil', 9);
    for (const image of [null, content]) {
      const [before, after] = [[], []] as [number[], number[]];
      for (const seed of [1, 2, 3, 4]) {
        before.push(nearest(wanted, await painted({ image, seed })));
        after.push(nearest(wanted, await painted({ image, seed, trainedStyle: style })));
      }
      expect(meanOf(after)).toBeLessThan(0.6 * meanOf(before));
    }
  });

  it('recognises thick paint, lines on paper, and flat colours, which have no surface', async () => {
    const learned = await Promise.all(SET_NAMES.map((name) => readStyleFile(sets[name].style)));
    const techniques = learned.map((looks) => [...new Set(looks.map(({ technique }) => technique))]);
    expect(techniques).toEqual([['oil'], ['ink'], ['photo']]);
    const [oil, , poster] = learned.map((looks) => looks.flatMap(({ swatches }) => swatches).length);
    expect([oil, poster]).toEqual([10, 0]);
  });

  it('comes before the style reference, whose colours join', async () => {
    const reference = sets.ink.files[0]!;
    const task = { seed: 4, trainedStyle: sets.oil.style };
    const [alone, both] = [await painted(task), await painted({ ...task, styleReference: reference })];
    const [ink, oil] = [await paletteIn(reference), await paletteIn(sets.oil.files[0]!)];
    expect(paletteDistance(both, ink)).toBeLessThan(paletteDistance(alone, ink));
    expect(paletteDistance(both, oil)).toBeLessThan(paletteDistance(both, ink));
  });

  it('uses the look that is most like the mood of the prompt', async () => {
    const dark = await Promise.all([1, 2, 3].map((seed) => drawn('oil', seed, { brightness: 0.35 })));
    const light = await Promise.all([1, 2, 3].map((seed) => drawn('ink', seed)));
    const style = await train('both', [...dark, ...light]);
    const seeds = [1, 2, 3, 4];
    const lightness = async (prompt: string) =>
      Promise.all(seeds.map(async (seed) => (await painted({ prompt, seed, trainedStyle: style })).colours[16]![0]));
    expect(Math.max(...(await lightness('night')))).toBeLessThan(0.5);
    // Without a mood, the seed decides.
    const all = await lightness('a lake');
    expect([Math.min(...all) < 0.5, Math.max(...all) > 0.5]).toEqual([true, true]);
  });

  it('gives the same file for the same pictures, and the same painting for the same seed only', async () => {
    const again = await train('again', sets.oil.files);
    expect(await readFile(again)).toEqual(await readFile(sets.oil.style));
    const bytes = async (seed: number) =>
      (await readFile(await paint({ seed, trainedStyle: again }))).toString('base64');
    expect(await bytes(1)).toBe(await bytes(1));
    expect(await bytes(2)).not.toBe(await bytes(1));
  });

  it.each([1, 3, 20])('of %d unlike pictures is small, and has few looks', async (count) => {
    const files = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        drawn(i % 2 ? 'oil' : 'ink', i, { hue: i * 18, brightness: 1 - (i % 5) / 8 }),
      ),
    );
    const file = await train(`of-${count}`, files);
    expect((await stat(file)).size).toBeLessThan(MAX_STYLE_FILE_BYTES);
    const looks = await readStyleFile(file);
    expect(looks.length).toBeLessThanOrEqual(MAX_LOOKS);
    expect(looks.reduce((sum, { weight }) => sum + weight, 0)).toBe(count);
  });

  it.each([
    [1, 2000],
    [2000, 1],
  ])('is learned from a picture of %d × %d pixels of one colour', async (width, height) => {
    const file = join(home, `line-${width}.png`);
    await sharp({ create: { width, height, channels: 3, background: '#888' } })
      .png()
      .toFile(file);
    const style = await train(`line-${width}`, [file, file, file]);
    const { colours } = await painted({ seed: 1, trainedStyle: style });
    expect(colours.flat().every(Number.isFinite)).toBe(true);
  });
});

describe('looks', () => {
  const flat = (light: number, blue: number, red: number) => {
    const plane = (value: number) => new Float32Array(96 * 96).fill(value);
    return lookOf({ width: 96, height: 96, planes: [plane(light), plane(blue), plane(red)] }, null, 3);
  };

  it('join when their colours are alike, by the number of their pictures', () => {
    const [look, ...others] = joinLooks([flat(0.5, 0, 0), flat(0.53, 0, 0), flat(0.56, 0, 0)]);
    expect(others).toEqual([]);
    expect(look!.weight).toBe(3);
    expect(look!.palette.colours[0]![0]).toBeCloseTo(0.53, 5);
  });

  it('stay apart when their mean would be grey', () => {
    expect(joinLooks([flat(0.5, 0.2, -0.2), flat(0.5, -0.2, 0.2)])).toHaveLength(2);
  });
});

describe('the file of a trained style', () => {
  it('is refused with a sentence when it is broken in any way', async () => {
    const good = JSON.parse(await readFile(sets.oil.style, 'utf8'));
    const [look] = good.looks;
    const withLook = (change: object) => ({ ...good, looks: [{ ...look, ...change }] });
    const broken: readonly unknown[] = [
      '',
      '{',
      'null',
      '[]',
      { ...good, format: 'other' },
      { ...good, version: 2 },
      { ...good, looks: [] },
      { ...good, looks: {} },
      { ...good, looks: [null] },
      { ...good, looks: Array(MAX_LOOKS + 1).fill(withLook({ swatches: [] }).looks[0]) },
      withLook({ weight: 0 }),
      withLook({ weight: '1' }),
      withLook({ technique: 'toString' }),
      withLook({ palette: look.palette.slice(1) }),
      withLook({ warm: [...look.warm.slice(1), 1e9] }),
      withLook({ cool: [...look.cool.slice(1), null] }),
      withLook({ swatches: ['AAAA'] }),
      withLook({ swatches: [7] }),
      withLook({ swatches: Array(21).fill(look.swatches[0]) }),
      ' '.repeat(MAX_STYLE_FILE_BYTES + 1),
    ];
    for (const content of broken) {
      const file = join(home, 'broken.json');
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
      await expect(readStyleFile(file)).rejects.toMatchObject({
        name: 'UnusableInput',
        message: expect.stringMatching(/^the trained style can't be used: /),
      });
    }
  });

  it('keeps the palettes and the swatches, to a step of its numbers', async () => {
    const { picture } = await readPicture(sets.oil.files[0]!, 'picture', SIZE);
    const look = lookOf(picture, null, 12);
    const file = join(home, 'kept.json');
    await writeStyleFile(file, [look]);
    const [read] = await readStyleFile(file);
    for (const name of ['palette', 'warm', 'cool'] as const) {
      expect(paletteDistance(read![name], look[name])).toBeLessThan(0.0002);
    }
    const [given, kept] = [look, read!].map(({ swatches }) => swatches[0]!.planes);
    const difference = given![0].map((value, i) => Math.abs(value - kept![0][i]!));
    expect(difference.reduce((most, value) => Math.max(most, value), 0)).toBeLessThanOrEqual(0.5001 / 255);
    for (const axis of [1, 2] as const) expect(meanOf(kept![axis])).toBeCloseTo(meanOf(given![axis]), 2);
  });
});

async function train(name: string, pictures: readonly string[]): Promise<string> {
  const file = join(home, `${name}.json`);
  await learnStyle({ kind: 'style', pictures, files: [file] }, noReport);
  return file;
}

let paintings = 0;

async function paint(overrides: Partial<ImageTask>): Promise<string> {
  const file = join(home, `painting-${paintings++}.webp`);
  const inputs = { image: null, styleReference: null, trainedStyle: null };
  const task = { kind: 'image', prompt: 'a lake', seed: 1, strength: 0.9, ...SIZE, files: [file], ...inputs } as const;
  await renderImage({ ...task, ...overrides }, noReport);
  return file;
}

/** The palette of a painting. */
async function painted(overrides: Partial<ImageTask>): Promise<Palette> {
  return paletteIn(await paint(overrides));
}

async function paletteIn(file: string): Promise<Palette> {
  return paletteOf((await readPicture(file, 'picture', SIZE)).picture);
}

const nearest = (palettes: readonly Palette[], to: Palette) =>
  Math.min(...palettes.map((palette) => paletteDistance(palette, to)));

async function drawn(name: SetName, seed: number, look: { hue?: number; brightness?: number } = {}): Promise<string> {
  const file = join(home, `${name}-${seed}-${look.hue ?? 0}-${look.brightness ?? 1}.png`);
  const image = sharp(Buffer.from(SETS[name](createRandom(seed)))).flatten();
  await image
    .modulate({ hue: look.hue ?? 0, brightness: look.brightness ?? 1 })
    .png()
    .toFile(file);
  return file;
}

/** Hills below a sky, in the given colours, under further marks. */
function scene(random: Random, [ground, sky, light, dark]: readonly string[], marks: string): string {
  const hill = 180 + 60 * random();
  return `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="${sky}"/>
    <circle cx="${400 * random()}" cy="70" r="40" fill="${light}"/><path d="M0 ${hill}Q200 ${hill - 80} 400 ${hill}V300H0Z"
    fill="${ground}"/><path d="M0 260Q200 ${hill} 400 280V300H0Z" fill="${dark}"/>${marks}</svg>`;
}

function strokes(random: Random): string {
  return Array.from({ length: 2500 }, () => {
    const [x, y, length] = [400 * random(), 300 * random(), 6 + 12 * random()];
    const colour = random() < 0.5 ? '#fff3' : '#2003';
    return `<path d="M${x} ${y}l${length} ${length / 4}" stroke="${colour}" stroke-width="2"/>`;
  }).join('');
}

function hatching(random: Random): string {
  return Array.from({ length: 260 }, () => {
    const [x, y] = [400 * random(), 120 + 160 * random()];
    return `<path d="M${x} ${y}l-3 24" stroke="#152238" stroke-width="1.4"/>`;
  }).join('');
}

import type { Size } from './output-size.ts';
import { outputSize } from './output-size.ts';
import { readPicture, scaledMask, sourceSize, writePixels } from './picture/files.ts';
import { type Colour, type Picture } from './picture/picture.ts';
import type { RegionsTask, RenderedFile, ReportProgress } from './render-task.ts';

/** Regions are found in a small copy of the picture. */
const SEARCHED = { smallest: 8, largest: 192, multiple: 1, pixels: 160 * 160, longSide: 8 };
const COLOURS = 6;
const ROUNDS = 12;
/** Light differs within a thing more than its colour does. */
const LIGHT_WEIGHT = 0.6;
/** Smallest region, as a share of the picture. */
const SMALLEST_SHARE = 0.01;

interface Region {
  readonly pixels: readonly number[];
  readonly colour: Colour;
  /** 0..1: how alike its pixels are. */
  readonly score: number;
}

/** Finds connected regions of like colours, and writes a mask of each in the size of the picture, white on black. */
export async function findRegions(
  { image, files }: RegionsTask,
  report: ReportProgress,
): Promise<readonly RenderedFile[]> {
  const size = await sourceSize(image, 'input image');
  const small = outputSize({}, size, SEARCHED);
  const { picture, alpha } = await readPicture(image, 'input image', small);
  const regions = regionsOf(picture, alpha).slice(0, files.length);
  await report(0.5);
  for (const [index, { pixels }] of regions.entries()) {
    const mask = Buffer.alloc(small.width * small.height);
    for (const at of pixels) mask[at] = 255;
    const scaled = await scaledMask(mask, small, size);
    await writePixels(
      { data: scaled.map((value) => (value > 127 ? 255 : 0)) as Buffer, channels: 1 },
      size,
      files[index]!,
    );
    await report(0.5 + (0.5 * (index + 1)) / regions.length);
  }
  return regions.map((region) => ({ ...size, duration: null, label: labelOf(region, small), score: region.score }));
}

/** The regions, the largest first. */
function regionsOf(picture: Picture, alpha: Uint8Array | null): readonly Region[] {
  const { width, height } = picture;
  const colours = coloursOf(picture, alpha);
  const nearest = Int8Array.from({ length: width * height }, (_, at) =>
    alpha && alpha[at]! < 128 ? -1 : nearestOf(colours, colourAt(picture, at)),
  );
  const seen = new Uint8Array(width * height);
  const found: Region[] = [];
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || nearest[start]! < 0) continue;
    const pixels = connected(nearest, seen, start, width);
    if (pixels.length >= SMALLEST_SHARE * seen.length) found.push(regionOf(picture, pixels));
  }
  return found.sort((a, b) => b.pixels.length - a.pixels.length);
}

/** The pixels of the same colour that are connected with `start`. Marks them as seen. */
function connected(nearest: Int8Array, seen: Uint8Array, start: number, width: number): number[] {
  const pixels = [start];
  seen[start] = 1;
  for (const at of pixels) {
    const x = at % width;
    const beside = [at - width, at + width, ...(x > 0 ? [at - 1] : []), ...(x < width - 1 ? [at + 1] : [])];
    for (const next of beside) {
      if (next < 0 || next >= seen.length || seen[next] || nearest[next] !== nearest[start]) continue;
      seen[next] = 1;
      pixels.push(next);
    }
  }
  return pixels;
}

function regionOf(picture: Picture, pixels: readonly number[]): Region {
  const colour = meanOf(pixels.map((at) => colourAt(picture, at)));
  const spread = pixels.reduce((sum, at) => sum + Math.sqrt(distance(colour, colourAt(picture, at))), 0);
  return { pixels, colour, score: Math.max(0, 1 - (2 * spread) / pixels.length) };
}

/** The main colours of a picture, by k-means from colours that are far from each other: always the same. */
function coloursOf(picture: Picture, alpha: Uint8Array | null): readonly Colour[] {
  const all = Array.from(picture.planes[0], (_, at) => at).filter((at) => !alpha || alpha[at]! >= 128);
  const pixels = all.map((at) => colourAt(picture, at));
  if (pixels.length === 0) return [];
  let colours: Colour[] = [meanOf(pixels)];
  while (colours.length < COLOURS) {
    const away = pixels.map((pixel) => Math.min(...colours.map((colour) => distance(colour, pixel))));
    const farthest = away.reduce((best, each, at) => (each > away[best]! ? at : best), 0);
    if (away[farthest]! < 0.002) break;
    colours.push(pixels[farthest]!);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const groups = colours.map((): Colour[] => []);
    for (const pixel of pixels) groups[nearestOf(colours, pixel)]!.push(pixel);
    colours = groups.map((group, index) => (group.length > 0 ? meanOf(group) : colours[index]!));
  }
  return colours;
}

function nearestOf(colours: readonly Colour[], pixel: Colour): number {
  let best = 0;
  for (let index = 1; index < colours.length; index++) {
    if (distance(colours[index]!, pixel) < distance(colours[best]!, pixel)) best = index;
  }
  return best;
}

function colourAt({ planes: [light, blue, red] }: Picture, at: number): Colour {
  return [light[at]!, blue[at]!, red[at]!];
}

function distance(one: Colour, other: Colour): number {
  const [light, blue, red] = one.map((value, index) => value - other[index]!) as unknown as Colour;
  return LIGHT_WEIGHT * light * light + blue * blue + red * red;
}

function meanOf(colours: readonly Colour[]): Colour {
  const sum = [0, 0, 0];
  for (const colour of colours) for (const [index, value] of colour.entries()) sum[index]! += value;
  return sum.map((value) => value / colours.length) as unknown as Colour;
}

/** Hues by their end, in degrees. */
const HUES = [
  [15, 'red'],
  [45, 'orange'],
  [70, 'yellow'],
  [160, 'green'],
  [200, 'cyan'],
  [260, 'blue'],
  [300, 'purple'],
  [345, 'pink'],
  [360, 'red'],
] as const;
const GREY_SATURATION = 0.12;

/** Such as `dark blue, top left`. */
function labelOf({ colour, pixels }: Region, { width, height }: Size): string {
  const mean = (valueOf: (at: number) => number) => pixels.reduce((sum, at) => sum + valueOf(at), 0) / pixels.length;
  const [x, y] = [mean((at) => at % width) / width, mean((at) => Math.floor(at / width)) / height];
  const third = (share: number, low: string, high: string) => (share < 0.36 ? low : share > 0.64 ? high : '');
  const place = [third(y, 'top', 'bottom'), third(x, 'left', 'right')].filter(Boolean).join(' ');
  return `${colourName(colour)}, ${place || 'middle'}`;
}

function colourName([light, blue, red]: Colour): string {
  const rgb = [light + 1.5748 * red, light - 0.1873 * blue - 0.4681 * red, light + 1.8556 * blue];
  const [most, least] = [Math.max(...rgb), Math.min(...rgb)];
  if (most - least < GREY_SATURATION) return light < 0.2 ? 'black' : light > 0.85 ? 'white' : 'grey';
  const [r, g, b] = rgb.map((value) => (value - least) / (most - least)) as [number, number, number];
  const turn = r === 1 ? g - b : g === 1 ? 2 + b - r : 4 + r - g;
  const hue = (((turn * 60) % 360) + 360) % 360;
  const name = HUES.find(([end]) => hue <= end)![1];
  if (light < 0.25) return `dark ${name}`;
  return light > 0.75 && name !== 'yellow' ? `light ${name}` : name;
}

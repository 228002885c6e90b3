import { readFile, stat, writeFile } from 'node:fs/promises';
import { UnusableInput } from '../picture/files.ts';
import type { Colour, Picture } from '../picture/picture.ts';
import { techniques, type TechniqueName } from '../techniques.ts';
import { GROUPS, type Palette } from './colours.ts';
import { MAX_LOOKS, type Look } from './look.ts';
import { SWATCH_SIDE } from './swatches.ts';

/** A trained style as JSON. A change that older versions can't read needs a new version. */
interface StyleFile {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly looks: readonly LookEntry[];
}

interface LookEntry extends Pick<Look, 'weight' | 'technique'> {
  readonly palette: Numbers;
  readonly warm: Numbers;
  readonly cool: Numbers;
  /** Bytes in Base64: the plane of lightness, then both colour differences at half the width and height. */
  readonly swatches: readonly string[];
}

/** The components of the colours, darkest first, and the spread. */
type Numbers = readonly number[];

const FORMAT = 'x12-local-style';
const VERSION = 1;
export const MAX_STYLE_FILE_BYTES = 200_000;
const MAX_SWATCHES = 20;
const PALETTE_NUMBERS = 3 * (GROUPS + 1);
const HALF_SIDE = SWATCH_SIDE / 2;
const SWATCH_BYTES = SWATCH_SIDE ** 2 + 2 * HALF_SIDE ** 2;

export async function writeStyleFile(file: string, looks: readonly Look[]): Promise<void> {
  const entries = looks.map((look): LookEntry => ({
    weight: look.weight,
    technique: look.technique,
    palette: numbersOf(look.palette),
    warm: numbersOf(look.warm),
    cool: numbersOf(look.cool),
    swatches: look.swatches.map((swatch) => bytesOf(swatch).toString('base64')),
  }));
  const content: StyleFile = { format: FORMAT, version: VERSION, looks: entries };
  await writeFile(file, JSON.stringify(content));
}

/** @throws UnusableInput */
export async function readStyleFile(file: string): Promise<readonly Look[]> {
  if ((await stat(file)).size > MAX_STYLE_FILE_BYTES) throw unusable('it is too large');
  const content = parsed(await readFile(file, 'utf8'));
  if (content?.format !== FORMAT) throw unusable('it is not a style of the local models');
  if (content.version !== VERSION) throw unusable('it was made by another version: train it again');
  return listOf(content.looks, 1, MAX_LOOKS).map(lookOf);
}

function parsed(text: string): Partial<Record<string, unknown>> | null {
  try {
    return asRecord(JSON.parse(text));
  } catch (error) {
    throw unusable('it is damaged', error);
  }
}

function lookOf(entry: unknown): Look {
  const { weight, technique, palette, warm, cool, swatches } = asRecord(entry) ?? {};
  if (!isNumber(weight, 0, 1000) || weight === 0 || !isTechnique(technique)) throw unusable('it is damaged');
  return {
    weight,
    technique,
    palette: paletteFrom(palette),
    warm: paletteFrom(warm),
    cool: paletteFrom(cool),
    swatches: listOf(swatches, 0, MAX_SWATCHES).map(swatchFrom),
  };
}

function numbersOf({ colours, spread }: Palette): Numbers {
  return [...colours, spread].flat().map((value) => Math.round(value * 10_000) / 10_000);
}

function paletteFrom(value: unknown): Palette {
  const numbers = listOf(value, PALETTE_NUMBERS, PALETTE_NUMBERS);
  if (!numbers.every((each) => isNumber(each, -1, 1))) throw unusable('it is damaged');
  const colours = Array.from({ length: GROUPS + 1 }, (_, i) => numbers.slice(3 * i, 3 * i + 3) as unknown as Colour);
  return { colours: colours.slice(0, GROUPS), spread: colours[GROUPS]! };
}

function bytesOf({ planes: [light, blue, red] }: Picture): Buffer {
  const half = (plane: Float32Array) =>
    Float32Array.from({ length: HALF_SIDE ** 2 }, (_, i) => {
      const at = 2 * Math.floor(i / HALF_SIDE) * SWATCH_SIDE + 2 * (i % HALF_SIDE);
      return (plane[at]! + plane[at + 1]! + plane[at + SWATCH_SIDE]! + plane[at + SWATCH_SIDE + 1]!) / 4;
    });
  const bytes = (plane: Float32Array, zero: number) =>
    Buffer.from(Uint8ClampedArray.from(plane, (value) => 255 * (value + zero)).buffer);
  return Buffer.concat([bytes(light, 0), bytes(half(blue), 0.5), bytes(half(red), 0.5)]);
}

function swatchFrom(value: unknown): Picture {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : null;
  if (bytes?.length !== SWATCH_BYTES) throw unusable('it is damaged');
  const plane = (start: number) =>
    Float32Array.from({ length: SWATCH_SIDE ** 2 }, (_, i) => {
      const place = (Math.floor(i / SWATCH_SIDE) >> 1) * HALF_SIDE + ((i % SWATCH_SIDE) >> 1);
      return bytes[start + place]! / 255 - 0.5;
    });
  const light = Float32Array.from(bytes.subarray(0, SWATCH_SIDE ** 2), (byte) => byte / 255);
  const planes = [light, plane(SWATCH_SIDE ** 2), plane(SWATCH_SIDE ** 2 + HALF_SIDE ** 2)] as const;
  return { width: SWATCH_SIDE, height: SWATCH_SIDE, planes };
}

function listOf(value: unknown, least: number, most: number): readonly unknown[] {
  if (Array.isArray(value) && value.length >= least && value.length <= most) return value;
  throw unusable('it is damaged');
}

function asRecord(value: unknown): Partial<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null ? (value as Partial<Record<string, unknown>>) : null;
}

function isNumber(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

function isTechnique(value: unknown): value is TechniqueName {
  return typeof value === 'string' && Object.hasOwn(techniques, value);
}

function unusable(reason: string, cause?: unknown): UnusableInput {
  return new UnusableInput(`the trained style can't be used: ${reason}`, { cause });
}

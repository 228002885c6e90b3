import { invalidField } from '#kernel';

/** Widths and heights of variants in pixels: what is asked for is snapped up to the next. */
export const GRID = [64, 128, 192, 320, 480, 640, 800, 960, 1280, 1600, 1920, 2560] as const;

/** The longest side of a variant, also where no width and no height is given. */
export const MAX_EDGE = GRID.at(-1)!;

/** Qualities of variants: what is asked for is snapped up to the next, and beyond the last to that. */
export const QUALITIES = [50, 65, 80, 90] as const;

const DEFAULT_QUALITY = 80;

/** The most variants of a picture: visitors make them, and they take storage beyond the quota. */
export const MAX_VARIANTS = 500;

/**
 * How a picture fills `w` × `h`: `inside` fits into it, `cover` fills it and is cropped around its centre, `contain` fits
 * into it with a ground around, transparent or white.
 */
export const FITS = ['inside', 'cover', 'contain'] as const;
export type Fit = (typeof FITS)[number];

/** `auto`: what the client accepts; once negotiated, a JPEG, or a PNG where the picture is transparent. */
export const FORMATS = ['auto', 'webp', 'avif', 'jpeg', 'png'] as const;
export type Format = (typeof FORMATS)[number];

/** How a stored picture is shown. */
export interface Transformation {
  /** Pixels, of the grid; `null` for any. */
  readonly width: number | null;
  readonly height: number | null;
  /** `inside` unless both sides are given. */
  readonly fit: Fit;
  /** One of `QUALITIES`; `null` for a PNG, which has no loss. */
  readonly quality: number | null;
  readonly format: Format;
  /** Draws the operator's label on it. */
  readonly label: boolean;
}

export interface Size {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The options by their names in a URL. Each further option has an entry here, and a part in `canonicalText`. */
const OPTIONS = ['w', 'h', 'fit', 'q', 'fm', 'label'] as const;
type Option = (typeof OPTIONS)[number];

/**
 * The transformation that a URL asks for; `null` without any option. Other parameters are ignored.
 *
 * @throws DomainError `validation_failed` for an option that is malformed, out of range or given twice
 */
export function transformationOf(query: URLSearchParams): Transformation | null {
  if (!OPTIONS.some((option) => query.has(option))) return null;
  const [width, height] = [edgeIn(query, 'w'), edgeIn(query, 'h')];
  const fit = choiceIn(query, 'fit', FITS) ?? 'inside';
  const quality = integerIn(query, 'q', 100) ?? DEFAULT_QUALITY;
  const format = choiceIn(query, 'fm', FORMATS) ?? 'auto';
  const label = flagIn(query, 'label');
  return withoutNoEffect({ width, height, fit, quality: snapped(quality, QUALITIES), format, label });
}

/** Reports whether all options of a URL are their own canonical form, so that it names one variant of few. */
export function isInGrid(query: URLSearchParams): boolean {
  const isOne = (option: Option, of: readonly number[]) =>
    !query.has(option) || of.includes(integerIn(query, option, Infinity)!);
  return isOne('w', GRID) && isOne('h', GRID) && isOne('q', QUALITIES) && transformationOf(query) !== null;
}

/** The text that a transformation and no other has: the options in one order. */
export function canonicalText({ width, height, fit, quality, format, label }: Transformation): string {
  const options: Readonly<Record<Option, string | number | true | null>> = {
    w: width,
    h: height,
    fit,
    q: quality,
    fm: format,
    label: label || null,
  };
  return OPTIONS.flatMap((option) => (options[option] === null ? [] : [`${option}=${options[option]}`])).join('&');
}

/**
 * The transformation of a picture for a client: its format is negotiated. A side that the picture does not reach makes no
 * variant of its own, and of two sides that it has to fit into, the tighter one decides alone.
 *
 * @param accept of the request. A wildcard says nothing: browsers send it that can't show AVIF
 * @param picture its size; `null` until the picture is looked at
 */
export function negotiated(wanted: Transformation, accept: string | undefined, picture: Size | null): Transformation {
  const format = formatFor(wanted.format, accept);
  const isEffective = (side: number | null, own: number | undefined) => own === undefined || (side ?? 0) < own;
  if (wanted.fit !== 'inside') return withoutNoEffect({ ...wanted, format });
  const width = isEffective(wanted.width, picture?.width) ? wanted.width : null;
  const height = isEffective(wanted.height, picture?.height) ? wanted.height : null;
  if (width === null || height === null || picture === null)
    return withoutNoEffect({ ...wanted, width, height, format });
  const isWidthTighter = width * picture.height <= height * picture.width;
  const tighter = isWidthTighter ? { width, height: null } : { width: null, height };
  return withoutNoEffect({ ...wanted, ...tighter, format });
}

/** The format for a client that accepts these types, which has to name AVIF or WebP to get it. */
export function formatFor(format: Format, accept = ''): Format {
  if (format !== 'auto') return format;
  const accepted = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((each) => /^q=0(\.0*)?$/.test(each)))
    .map(([type]) => type);
  return (['avif', 'webp'] as const).find((each) => accepted.includes(`image/${each}`)) ?? 'auto';
}

/**
 * The size of a variant. A picture is never enlarged: where it does not fill `w` × `h`, that is made smaller in its
 * proportions.
 */
export function sizeOf({ width, height, fit }: Pick<Transformation, 'width' | 'height' | 'fit'>, picture: Size): Size {
  const box = { width: width ?? MAX_EDGE, height: height ?? MAX_EDGE };
  const scales = [box.width / picture.width, box.height / picture.height] as const;
  if (fit === 'inside') return scaled(picture, Math.min(1, ...scales));
  const reach = fit === 'cover' ? Math.max(...scales) : Math.min(...scales);
  return scaled(box, Math.min(1, 1 / reach));
}

function scaled({ width, height }: Size, scale: number): Size {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function withoutNoEffect(given: Transformation): Transformation {
  const isInside = given.fit === 'inside' || given.width === null || given.height === null;
  const side = (length: number | null) => (isInside && length === MAX_EDGE ? null : length);
  return {
    ...given,
    width: side(given.width),
    height: side(given.height),
    fit: isInside ? 'inside' : given.fit,
    quality: given.format === 'png' ? null : given.quality,
  };
}

function edgeIn(query: URLSearchParams, option: Option): number | null {
  const edge = integerIn(query, option, MAX_EDGE);
  return edge === null ? null : snapped(edge, GRID);
}

function snapped(value: number, steps: readonly number[]): number {
  return steps.find((step) => value <= step) ?? steps.at(-1)!;
}

function integerIn(query: URLSearchParams, option: Option, max: number): number | null {
  const text = onlyIn(query, option);
  if (text === null) return null;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw invalidField(option, `must be an integer from 1 to ${max}`);
  return value;
}

function choiceIn<T extends string>(query: URLSearchParams, option: Option, choices: readonly T[]): T | null {
  const text = onlyIn(query, option);
  if (text === null) return null;
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw invalidField(option, `must be one of: ${choices.join(', ')}`);
  return choice;
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/** A text of the caller would make the number of variants unlimited. */
function flagIn(query: URLSearchParams, option: Option): boolean {
  const text = onlyIn(query, option);
  if (text === null) return false;
  if (!Object.hasOwn(FLAGS, text)) throw invalidField(option, 'must be true or false');
  return FLAGS[text]!;
}

function onlyIn(query: URLSearchParams, option: Option): string | null {
  const [value = null, ...more] = query.getAll(option);
  if (more.length > 0) throw invalidField(option, 'must be given once');
  return value;
}

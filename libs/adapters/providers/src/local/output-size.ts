import { clamp } from './picture/picture.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface SizeRules {
  readonly smallest: number;
  readonly largest: number;
  /** Sides are multiples of this. */
  readonly multiple: number;
  /** Maximum pixels of a size that was not requested. */
  readonly pixels: number;
  /** Minimum length of the longer side of a size that was not requested. */
  readonly longSide: number;
}

/** About a megapixel by default: enough to show brush strokes. */
export const IMAGE_SIZES = { smallest: 64, largest: 2048, multiple: 1, pixels: 1024 * 1024, longSide: 512 };

/** At most 720p by default. Sides are even because H.264 halves its colour planes. */
export const VIDEO_SIZES = { smallest: 64, largest: 1280, multiple: 2, pixels: 1280 * 720, longSide: 64 };

/**
 * The size of an output. Requested sides are kept. A side that is not requested follows from the other one and the
 * aspect ratio of the source (square without a source). Without any request the source's size is scaled to the rules.
 */
export function outputSize(
  requested: { readonly width?: number | undefined; readonly height?: number | undefined },
  source: Size | null,
  rules: SizeRules,
): Size {
  const { width, height } = requested;
  const shape = source ?? { width: 1024, height: 1024 };
  const ratio = shape.width / shape.height;
  if (width !== undefined) return fit(width, height ?? width / ratio, rules);
  if (height !== undefined) return fit(height * ratio, height, rules);
  const shrink = Math.sqrt(rules.pixels / (shape.width * shape.height));
  const enlarge = Math.max(1, rules.longSide / Math.max(shape.width, shape.height));
  const scale = Math.min(shrink, enlarge);
  return fit(shape.width * scale, shape.height * scale, rules);
}

function fit(width: number, height: number, rules: SizeRules): Size {
  const side = (value: number) =>
    Math.round(clamp(value, rules.smallest, rules.largest) / rules.multiple) * rules.multiple;
  return { width: side(width), height: side(height) };
}

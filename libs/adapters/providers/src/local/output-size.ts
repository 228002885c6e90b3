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
  /** A size that nobody asked for has no more pixels than this. */
  readonly pixels: number;
  /** … and its longer side is at least this long. */
  readonly longSide: number;
}

/** About a megapixel; large enough to show the marks of a technique. */
export const IMAGE_SIZES: SizeRules = {
  smallest: 64,
  largest: 2048,
  multiple: 1,
  pixels: 1024 * 1024,
  longSide: 512,
};

/** 720p at most unless asked for; H.264 halves its colour planes, hence even sides. */
export const VIDEO_SIZES: SizeRules = {
  smallest: 64,
  largest: 1280,
  multiple: 2,
  pixels: 1280 * 720,
  longSide: 64,
};

/**
 * The size of an output. What was asked for holds. A side that was not follows from the other one and the shape
 * of the source (square without a source); with neither, the source's own size is brought within the rules.
 */
export function outputSize(
  asked: { readonly width?: number | undefined; readonly height?: number | undefined },
  source: Size | null,
  rules: SizeRules,
): Size {
  const shape = source ?? { width: 1024, height: 1024 };
  if (asked.width !== undefined && asked.height !== undefined) return fit(asked.width, asked.height, rules);
  if (asked.width !== undefined) return fit(asked.width, (asked.width * shape.height) / shape.width, rules);
  if (asked.height !== undefined)
    return fit((asked.height * shape.width) / shape.height, asked.height, rules);
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

/** A picture as three planes in Oklab: lightness 0..1, and the green-red and blue-yellow axes around 0. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly l: Float32Array;
  readonly a: Float32Array;
  readonly b: Float32Array;
}

/** One colour in Oklab. */
export interface Colour {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

export function blankPicture(width: number, height: number): Picture {
  const size = width * height;
  return {
    width,
    height,
    l: new Float32Array(size),
    a: new Float32Array(size),
    b: new Float32Array(size),
  };
}

export function copyPicture(picture: Picture): Picture {
  return { ...picture, l: picture.l.slice(), a: picture.a.slice(), b: picture.b.slice() };
}

export function colourAt(picture: Picture, index: number): Colour {
  return { l: picture.l[index]!, a: picture.a[index]!, b: picture.b[index]! };
}

export function setColour(picture: Picture, index: number, colour: Colour): void {
  picture.l[index] = colour.l;
  picture.a[index] = colour.a;
  picture.b[index] = colour.b;
}

/** Draws `colour` over one pixel with opacity `alpha`. */
export function coverPixel(picture: Picture, index: number, colour: Colour, alpha: number): void {
  picture.l[index]! += (colour.l - picture.l[index]!) * alpha;
  picture.a[index]! += (colour.a - picture.a[index]!) * alpha;
  picture.b[index]! += (colour.b - picture.b[index]!) * alpha;
}

export function mixColours(from: Colour, to: Colour, amount: number): Colour {
  return {
    l: from.l + (to.l - from.l) * amount,
    a: from.a + (to.a - from.a) * amount,
    b: from.b + (to.b - from.b) * amount,
  };
}

/** `from` at amount 0, `to` at amount 1. */
export function mixPictures(from: Picture, to: Picture, amount: number): Picture {
  const mixed = blankPicture(from.width, from.height);
  for (const plane of ['l', 'a', 'b'] as const) {
    const start = from[plane];
    const end = to[plane];
    const result = mixed[plane];
    for (let i = 0; i < result.length; i++) result[i] = start[i]! + (end[i]! - start[i]!) * amount;
  }
  return mixed;
}

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** 0 below `from`, 1 above `to`, an S-curve between them. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from), 0, 1);
  return t * t * (3 - 2 * t);
}

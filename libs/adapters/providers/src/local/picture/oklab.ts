import { blankPicture, type Picture } from './picture.ts';

// Björn Ottosson, "A perceptual color space for image processing" (2020).

const LINEAR = Float32Array.from({ length: 256 }, (_, value) => {
  const s = value / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
});

const ENCODED_STEPS = 16384;
/** 8-bit sRGB by linear value times `ENCODED_STEPS`. */
const ENCODED = Uint8Array.from({ length: ENCODED_STEPS + 1 }, (_, step) => {
  const linear = step / ENCODED_STEPS;
  const s = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(s * 255);
});

/** `pixels` has 3 or 4 bytes per pixel; the fourth byte is ignored. */
export function pictureFromRgb(pixels: Uint8Array, width: number, height: number, channels = 3): Picture {
  const picture = blankPicture(width, height);
  const { l: outL, a: outA, b: outB } = picture;
  for (let i = 0, p = 0; i < outL.length; i++, p += channels) {
    const red = LINEAR[pixels[p]!]!;
    const green = LINEAR[pixels[p + 1]!]!;
    const blue = LINEAR[pixels[p + 2]!]!;
    const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
    const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
    const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    outL[i] = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
    outA[i] = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
    outB[i] = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  }
  return picture;
}

/**
 * Three bytes per pixel. A colour outside of sRGB keeps its lightness and hue and loses chroma until it fits:
 * clipping single channels would shift hues and flatten saturated areas.
 */
export function rgbFromPicture(picture: Picture): Buffer {
  const { l: inL, a: inA, b: inB } = picture;
  const pixels = Buffer.allocUnsafe(inL.length * 3);
  for (let i = 0, p = 0; i < inL.length; i++, p += 3) {
    const lightness = inL[i]! < 0 ? 0 : inL[i]! > 1 ? 1 : inL[i]!;
    const greenRed = inA[i]!;
    const blueYellow = inB[i]!;
    const long = cube(lightness + 0.3963377774 * greenRed + 0.2158037573 * blueYellow);
    const medium = cube(lightness - 0.1055613458 * greenRed - 0.0638541728 * blueYellow);
    const short = cube(lightness - 0.0894841775 * greenRed - 1.291485548 * blueYellow);
    let red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short;
    let green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short;
    let blue = -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short;
    const low = Math.min(red, green, blue);
    const high = Math.max(red, green, blue);
    if (low < 0 || high > 1) {
      const grey = cube(lightness);
      let keep = 1;
      if (low < 0) keep = grey / (grey - low);
      if (high > 1) keep = Math.min(keep, (1 - grey) / (high - grey));
      red = grey + (red - grey) * keep;
      green = grey + (green - grey) * keep;
      blue = grey + (blue - grey) * keep;
    }
    pixels[p] = ENCODED[(red * ENCODED_STEPS + 0.5) | 0]!;
    pixels[p + 1] = ENCODED[(green * ENCODED_STEPS + 0.5) | 0]!;
    pixels[p + 2] = ENCODED[(blue * ENCODED_STEPS + 0.5) | 0]!;
  }
  return pixels;
}

function cube(value: number): number {
  return value * value * value;
}

import { flowField } from '../picture/flow-field.ts';
import { blankPicture, clamp, smoothstep } from '../picture/picture.ts';
import { pictureFromRgb, rgbFromPicture } from '../picture/oklab.ts';
import { between, createRandom } from '../picture/random.ts';
import { kuwahara } from './kuwahara.ts';
import { contours } from './lines.ts';
import { paperColour } from './paper.ts';
import type { Treatment } from './treatment.ts';

/** Angles of the cyan, magenta, yellow and black screens that make the finest rosette. */
const SCREENS = [15, 75, 0, 45].map((degrees) => (degrees * Math.PI) / 180);
/** What each of the four inks leaves of red, green and blue light. */
const INKS = [
  [0.05, 0.66, 0.9],
  [0.9, 0.1, 0.5],
  [1, 0.88, 0.1],
  [0.09, 0.08, 0.1],
] as const;

/** A four-colour print: dots of cyan, magenta, yellow and black on their screens, with a drawn outline. */
export const halftone: Treatment = (picture, { unit, seed, palette, surface }) => {
  const { width, height } = picture;
  const random = createRandom(seed);
  const period = Math.max(3, 8.5 * unit * surface.coarseness * between(random, 0.85, 1.2));
  const turn = between(random, -0.3, 0.3);
  const flat = kuwahara(picture, Math.max(1.2, 4 * unit));
  for (let i = 0; i < flat.l.length; i++) {
    flat.l[i] = 0.1 + 0.9 * smoothstep(0.03, 0.9, flat.l[i]!);
    flat.a[i]! *= 1.3;
    flat.b[i]! *= 1.3;
  }
  const field = flowField(picture, { smoothing: 7 * unit, seed, drift: surface.direction });
  const outline = contours(flat, field, Math.max(0.9, 2.4 * unit), 1);
  const screens = SCREENS.map((angle) => ({
    cos: Math.cos(angle + turn) / period,
    sin: Math.sin(angle + turn) / period,
  }));
  const pixels = rgbFromPicture(flat);
  const paper = rgbFromPicture({ ...blankPicture(1, 1), ...plane(paperColour(palette)) });
  const softness = 0.75 / period;
  for (let y = 0, i = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++, p += 3) {
      const red = pixels[p]! / 255;
      const green = pixels[p + 1]! / 255;
      const blue = pixels[p + 2]! / 255;
      const black = (1 - Math.max(red, green, blue)) * 0.85;
      const amounts = [1 - red - black, 1 - green - black, 1 - blue - black, black];
      const light = [paper[0]! / 255, paper[1]! / 255, paper[2]! / 255];
      for (let screen = 0; screen < 4; screen++) {
        const amount = amounts[screen]!;
        if (amount <= 0.02) continue;
        const { cos, sin } = screens[screen]!;
        const u = x * cos + y * sin;
        const v = y * cos - x * sin;
        const du = u - Math.round(u);
        const dv = v - Math.round(v);
        // A dot of this radius covers the wanted part of its cell; large dots run into each other.
        const radius = Math.sqrt(Math.min(1, amount) / Math.PI) * (1 + 0.25 * amount);
        const covered = smoothstep(-softness, softness, radius - Math.sqrt(du * du + dv * dv));
        const left = INKS[screen]!;
        for (let channel = 0; channel < 3; channel++) light[channel]! *= 1 - covered * (1 - left[channel]!);
      }
      const bare = 0.12 + 0.88 * outline[i]!;
      for (let channel = 0; channel < 3; channel++) {
        pixels[p + channel] = Math.round(clamp(light[channel]! * bare, 0, 1) * 255);
      }
    }
  }
  return pictureFromRgb(pixels, width, height);
};

function plane(colour: { l: number; a: number; b: number }) {
  return { l: Float32Array.of(colour.l), a: Float32Array.of(colour.a), b: Float32Array.of(colour.b) };
}

import type { Size } from './output-size.ts';
import { pictureFromSvg } from './picture/files.ts';
import { clamp, hexOf, unitOf, type Picture } from './picture/picture.ts';
import { createRandom, type Random } from './picture/random.ts';
import { colourAt, type Palette } from './style/colours.ts';

const RANGES = 5;

/**
 * Invents a landscape in the given colours: the sun, mountain ranges in the haze, firs, and a lake.
 *
 * @param land the colours of the mountains
 */
export function paintLandscape(size: Size, palette: Palette, seed: number, land = palette): Promise<Picture> {
  const random = createRandom(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const [width, height] = [size.width, size.height].map((side) => Math.round(side / unitOf(size)));
  const shore = Math.round(height! * between(0.68, 0.8));
  const horizon = shore * between(0.45, 0.6);
  const sun = `cx="${width! * between(0.2, 0.8)}" cy="${horizon * between(0.4, 0.9)}"`;
  const tint = (position: number, from = palette) => hexOf(colourAt(from, position));
  const fade = (id: string, top: string, bottom: string) =>
    `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${top}"/>` +
    `<stop offset="1" stop-color="${bottom}"/></linearGradient>`;
  const ranges = Array.from({ length: RANGES }, (_, range) => {
    const near = (range + 1) / RANGES;
    const base = horizon + (shore - horizon) * (range / RANGES);
    const heights = crest(random, near > 0.5 ? 0.4 : 0.55);
    const groves = crest(random, 0.7);
    const points = heights.map((rise, i) => {
      const grove = i % 2 === 1 && near > 0.5 ? clamp(groves[i]! - 0.4, 0, 0.3) : 0;
      const top = base + shore * (0.1 - 0.32 * rise * (1.3 - near)) - grove * near * between(80, 260);
      return `${(i * width!) / (heights.length - 1)},${top}`;
    });
    const colours = fade(`range${range}`, tint(0.7 * (1 - near), land), tint(0.3 + 0.6 * (1 - near), land));
    return `${colours}<path d="M0,${shore}L${points.join(' ')} ${width},${shore}Z" fill="url(#range${range})"/>`;
  });
  const mirror = `<use href="#above" transform="translate(0 ${2 * shore}) scale(1 -1)"/>`;
  return pictureFromSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"
      preserveAspectRatio="none">
    ${fade('air', tint(0.4), tint(0.85))}${fade('deep', `${tint(0.3)}44`, tint(0.1))}
    <radialGradient id="glow"><stop stop-color="${tint(1)}"/>
      <stop offset="1" stop-color="${tint(1)}" stop-opacity="0"/></radialGradient>
    <filter id="clouds" x="0" y="0" width="1" height="1">
      <feTurbulence type="fractalNoise" baseFrequency="0.003 0.012" numOctaves="5" seed="${seed % 1000}"/>
      <feColorMatrix values="0 0 0 0 1  0 0 0 0 1  0 0 0 0 1  3 0 0 0 -1.4"/></filter>
    <filter id="ripples" x="0" y="0" width="1" height="1">
      <feTurbulence baseFrequency="0.008 0.09" numOctaves="2" seed="${seed % 1000}"/>
      <feDisplacementMap in="SourceGraphic" scale="26" xChannelSelector="R" yChannelSelector="G"/></filter>
    <clipPath id="land"><rect width="${width}" height="${shore}"/></clipPath>
    <g id="above" clip-path="url(#land)">
      <rect width="${width}" height="${shore}" fill="url(#air)"/>
      <circle ${sun} r="420" fill="url(#glow)" opacity="0.7"/>
      <circle ${sun} r="${between(30, 60)}" fill="${tint(1)}"/>
      <rect width="${width}" height="${horizon}" filter="url(#clouds)" opacity="0.45"/>
      ${ranges.join('')}</g>
    ${mirror}<g filter="url(#ripples)">${mirror}</g>
    <rect y="${shore}" width="${width}" height="${height! - shore}" fill="url(#deep)" opacity="0.6"/></svg>`,
    size,
  );
}

/** The outline of mountains, about 0..1: midpoint displacement, rougher with a greater `roughness`. */
function crest(random: Random, roughness: number): readonly number[] {
  let heights = [random(), random(), random()];
  for (let range = 0.5; heights.length < 256; range *= roughness) {
    heights = heights.flatMap((height, i) =>
      i === 0 ? [height] : [(heights[i - 1]! + height) / 2 + (random() - 0.5) * range, height],
    );
  }
  return heights;
}

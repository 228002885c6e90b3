import { blankPicture, coverPixel, mixColours, type Colour, type Picture } from '../picture/picture.ts';
import { between, createRandom, hashPoint, type Random } from '../picture/random.ts';
import { accentOf, paletteColour } from '../style/palette.ts';
import type { Composition, CompositionSetting } from './composition.ts';
import { paintSky } from './sky.ts';
import { paintWater } from './water.ts';

/** A skyline with lit windows, three rows of houses deep, at the water. */
export const city: Composition = (setting) => {
  const { width, height, palette, unit } = setting;
  const random = createRandom(setting.seed);
  const picture = blankPicture(width, height);
  const quay = Math.round(height * between(random, 0.74, 0.84));
  const sky = paintSky(picture, setting, random, quay);
  const accent = accentOf(palette);
  const lamp = mixColours({ l: 0.9, a: 0.02, b: 0.09 }, { l: 0.86, a: accent.a, b: accent.b }, 0.4);
  for (let row = 0; row < 3; row++) {
    const near = (row + 1) / 3;
    const wall = mixColours(sky.haze, paletteColour(palette, 0.12), 0.3 + 0.66 * near);
    let left = -between(random, 0, 60) * unit;
    while (left < width) {
      const broad = unit * between(random, 34, 92) * (0.75 + 0.35 * near);
      const tall = quay * between(random, 0.16, 0.62 - 0.13 * row) * (random() < 0.12 ? 1.3 : 1);
      house(picture, setting, random, { left, broad, top: quay - tall, quay, wall, lamp, near });
      left += broad * between(random, 0.82, 1.12);
    }
  }
  paintWater(picture, setting, { shore: quay, sky, depth: paletteColour(palette, 0.12), roughness: 0.8 });
  return picture;
};

interface House {
  readonly left: number;
  readonly broad: number;
  readonly top: number;
  readonly quay: number;
  readonly wall: Colour;
  readonly lamp: Colour;
  /** 0 far, 1 in front. */
  readonly near: number;
}

function house(picture: Picture, { unit, seed }: CompositionSetting, random: Random, plan: House): void {
  const { width } = picture;
  const storey = unit * between(random, 9, 13);
  const bay = unit * between(random, 7, 12);
  const busy = between(random, 0.1, 0.5) * plan.near;
  const number = Math.floor(random() * 1e6);
  const roof = random();
  const mast = roof < 0.3 ? unit * between(random, 20, 60) : 0;
  const middle = plan.left + plan.broad / 2;
  const slope = roof > 0.75 ? between(random, 0.2, 0.6) * (random() < 0.5 ? -1 : 1) : 0;
  const start = Math.max(0, Math.ceil(plan.left));
  const end = Math.min(width, plan.left + plan.broad);
  for (let x = start; x < end; x++) {
    let top = plan.top + slope * (x - middle);
    if (mast > 0 && Math.abs(x - middle) < Math.max(0.6, unit * 1.1)) top -= mast;
    // Light from the left: walls darken to the right.
    const across = (x - plan.left) / plan.broad;
    for (let y = Math.max(0, Math.floor(top)); y < plan.quay; y++) {
      const i = y * width + x;
      const shade = {
        l: plan.wall.l - 0.045 * across + 0.05 * ((y - top) / (plan.quay - top)),
        a: plan.wall.a,
        b: plan.wall.b,
      };
      coverPixel(picture, i, shade, Math.min(1, y + 1 - top));
      const floor = (y - plan.top) / storey;
      const column = (x - plan.left) / bay;
      if (floor < 0.6 || column < 0.4 || column > plan.broad / bay - 0.4) continue;
      const inWindow = floor % 1 > 0.35 && floor % 1 < 0.8 && column % 1 > 0.25 && column % 1 < 0.75;
      if (!inWindow) continue;
      const chance = hashPoint(Math.floor(column) + number, Math.floor(floor), seed) / 4294967295;
      if (chance < busy) coverPixel(picture, i, plan.lamp, 0.45 + 0.5 * (chance / busy));
      else coverPixel(picture, i, { l: plan.wall.l * 0.7, a: plan.wall.a, b: plan.wall.b }, 0.4 * plan.near);
    }
  }
}

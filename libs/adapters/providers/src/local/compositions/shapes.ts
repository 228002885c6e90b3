import { blankPicture, clamp, coverPixel, mixColours, setColour, type Colour } from '../picture/picture.ts';
import { between, createRandom, pick, type Random } from '../picture/random.ts';
import { paletteColour, type Palette } from '../style/palette.ts';
import type { Composition } from './composition.ts';

/** How far a point of a tile (0..1 each way) lies inside its figure, in tile sides; negative outside. */
type Figure = (u: number, v: number) => number;

const FIGURES: readonly Figure[] = [
  (u, v) => 1 - Math.hypot(u, v),
  (u, v) => 0.42 - Math.hypot(u - 0.5, v - 0.5),
  (u, v) => Math.min(0.5 - Math.hypot(u - 0.5, v), 1),
  (u, v) => Math.min(1 - Math.hypot(u, v), Math.hypot(u, v) - 0.5),
  (u, v) => (v - u) * Math.SQRT1_2,
  (u) => 0.25 - Math.abs(((u * 3) % 1) - 0.5),
  (u, v) => Math.min(0.46 - Math.hypot(u - 0.5, v - 0.5), Math.hypot(u - 0.5, v - 0.5) - 0.22),
  (u, v) => 0.3 - Math.max(Math.abs(u - 0.5), Math.abs(v - 0.5)),
  (u, v) => Math.max(0.5 - Math.hypot(u, v), 0.5 - Math.hypot(u - 1, v - 1)),
];

/** A geometric poster: a grid of quarter circles, rings, stripes and squares in the palette's colours. */
export const shapes: Composition = ({ width, height, unit, palette, seed }) => {
  const random = createRandom(seed);
  const picture = blankPicture(width, height);
  const side = Math.min(width, height) / (3 + Math.floor(random() * 4));
  const columns = Math.ceil(width / side);
  const rows = Math.ceil(height / side);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [ground, ink] = twoColours(palette, random);
      const figure = pick(random, FIGURES);
      const quarter = Math.floor(random() * 4);
      const lean = between(random, -0.05, 0.05);
      const right = Math.min(width, Math.ceil((column + 1) * side));
      const bottom = Math.min(height, Math.ceil((row + 1) * side));
      for (let y = Math.ceil(row * side); y < bottom; y++) {
        for (let x = Math.ceil(column * side); x < right; x++) {
          const [u, v] = turn(x / side - column, y / side - row, quarter);
          const i = y * width + x;
          setColour(picture, i, ground);
          const inside = figure(u, v) * side;
          coverPixel(picture, i, { ...ink, l: ink.l + lean * (v - 0.5) * 2 }, clamp(inside + 0.5, 0, 1));
          // A soft shadow along the figure's outer edge lifts it off the ground.
          if (inside < 0) picture.l[i]! -= 0.05 * Math.exp(inside / (7 * unit));
        }
      }
    }
  }
  return picture;
};

function turn(u: number, v: number, quarter: number): readonly [number, number] {
  if (quarter === 0) return [u, v];
  if (quarter === 1) return [v, 1 - u];
  if (quarter === 2) return [1 - u, 1 - v];
  return [1 - v, u];
}

/** Two colours of the palette that stand off from each other. */
function twoColours(palette: Palette, random: Random): readonly [Colour, Colour] {
  const first = random();
  const second = (first + between(random, 0.35, 0.65)) % 1;
  const soft = { l: 0.93, a: 0.002, b: 0.018 };
  const ground = mixColours(paletteColour(palette, first), soft, random() < 0.3 ? 0.7 : 0);
  return [ground, paletteColour(palette, second)];
}

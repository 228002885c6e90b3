import { blankPicture, clamp, smoothstep } from '../picture/picture.ts';
import { hashPoint } from '../picture/random.ts';
import { inkColour } from './paper.ts';
import type { Treatment } from './treatment.ts';

/** Stained glass: irregular panes of one colour each, set in dark lead, lit from behind. */
export const mosaic: Treatment = (picture, { unit, seed, palette, surface }) => {
  const { width, height } = picture;
  const cell = Math.max(3, 21 * unit * surface.coarseness);
  const columns = Math.ceil(width / cell) + 2;
  const rows = Math.ceil(height / cell) + 2;
  const count = columns * rows;
  const centreX = new Float32Array(count);
  const centreY = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const column = (i % columns) - 1;
    const row = Math.floor(i / columns) - 1;
    const chance = hashPoint(column, row, seed);
    centreX[i] = (column + 0.5 + ((chance & 0xffff) / 0xffff - 0.5) * 0.85) * cell;
    centreY[i] = (row + 0.5 + ((chance >>> 16) / 0xffff - 0.5) * 0.85) * cell;
  }
  const pane = new Uint32Array(width * height);
  const border = new Float32Array(width * height);
  const sums = { l: new Float64Array(count), a: new Float64Array(count), b: new Float64Array(count) };
  const sizes = new Float64Array(count);
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(y / cell) + 1;
    for (let x = 0; x < width; x++, i++) {
      const column = Math.floor(x / cell) + 1;
      let nearest = 0;
      let least = Infinity;
      let second = Infinity;
      for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++) {
        for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c++) {
          const candidate = r * columns + c;
          const dx = centreX[candidate]! - x;
          const dy = centreY[candidate]! - y;
          const far = dx * dx + dy * dy;
          if (far < least) {
            second = least;
            least = far;
            nearest = candidate;
          } else if (far < second) second = far;
        }
      }
      pane[i] = nearest;
      border[i] = Math.sqrt(second) - Math.sqrt(least);
      sums.l[nearest]! += picture.l[i]!;
      sums.a[nearest]! += picture.a[i]!;
      sums.b[nearest]! += picture.b[i]!;
      sizes[nearest]!++;
    }
  }
  const lead = inkColour(palette);
  const leadWidth = Math.max(0.8, 2 * unit);
  const result = blankPicture(width, height);
  for (let i = 0; i < pane.length; i++) {
    const glass = pane[i]!;
    const size = sizes[glass]!;
    const shade = ((hashPoint(glass, 1, seed) & 0xff) / 255 - 0.5) * 0.06;
    // Lighter in the middle, where most light comes through.
    const glow = smoothstep(0, cell * 0.7, border[i]!) * 0.09 - 0.03;
    const open = smoothstep(leadWidth * 0.55, leadWidth * 1.45, border[i]!);
    const l = clamp(sums.l[glass]! / size + shade + glow, 0, 1);
    result.l[i] = lead.l + (l - lead.l) * open;
    result.a[i] = lead.a + ((sums.a[glass]! / size) * 1.3 - lead.a) * open;
    result.b[i] = lead.b + ((sums.b[glass]! / size) * 1.3 - lead.b) * open;
  }
  return result;
};

import { blur, clamp, mapPlanes, unitOf, type Picture } from '../picture/picture.ts';
import { createRandom } from '../picture/random.ts';

/** The number of random patches compared for each position, and the bonus of the patch that continues its neighbour. */
const CANDIDATES = 24;
const CONTINUITY = 0.05;

/** The place of a patch: the index of its reference, and its corner there. */
interface Place {
  readonly reference: number;
  readonly left: number;
  readonly top: number;
}

/**
 * Adds the surface of references (brush marks, grain, weave) to a picture. Their fine detail is cut into overlapping
 * patches; each position of the picture gets a patch of similar lightness, preferably the patch that continues its
 * neighbour (Efros and Freeman 2001, with cross-fades instead of seams).
 *
 * @param references of one size; without any, nothing is added
 */
export function layTexture(picture: Picture, references: readonly Picture[], amount: number, seed: number): Picture {
  const half = Math.max(3, Math.round(14 * unitOf(picture)));
  const patch = 2 * half;
  const { width, height } = references[0] ?? { width: 0, height: 0 };
  const [maxLeft, maxTop] = [width - patch, height - patch];
  if (maxLeft <= 0 || maxTop <= 0) return picture;
  const random = createRandom(seed);
  const details = references.map((reference) => detailOf(reference, patch / 3));
  const available = references.map((reference) => lightnessOf(reference, half));
  const wanted = lightnessOf(picture, half);
  // Weights that sum up to `amount` where patches overlap by half.
  const ramp = Float32Array.from({ length: patch }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / patch) ** 2);
  const result = mapPlanes(picture, (plane) => plane.slice());
  for (let top = -half; top < picture.height; top += half) {
    let best: Place = { reference: 0, left: 0, top: 0 };
    for (let left = -half; left < picture.width; left += half) {
      best = bestPatch({ ...best, left: best.left + half }, wanted(left, top));
      addPatch(best, left, top);
    }
  }
  return result;

  function bestPatch(next: Place, light: number): Place {
    const difference = ({ reference, left, top }: Place) => Math.abs(available[reference]!(left, top) - light);
    let best = next;
    let least = next.left <= maxLeft ? difference(next) - CONTINUITY : Infinity;
    for (let i = 0; i < CANDIDATES; i++) {
      // The references are placed side by side.
      const spot = Math.floor(random() * maxLeft * references.length);
      const reference = Math.floor(spot / maxLeft);
      const place = { reference, left: spot % maxLeft, top: Math.floor(random() * maxTop) };
      if (difference(place) < least) [least, best] = [difference(place), place];
    }
    return best;
  }

  function addPatch(from: Place, left: number, top: number): void {
    const [startX, endX] = [Math.max(0, -left), Math.min(patch, picture.width - left)];
    for (let y = Math.max(0, -top); y < Math.min(patch, picture.height - top); y++) {
      const source = (from.top + y) * width + from.left;
      const target = (top + y) * picture.width + left;
      for (const [axis, plane] of result.planes.entries()) {
        const added = details[from.reference]!.planes[axis]!;
        for (let x = startX; x < endX; x++) plane[target + x]! += added[source + x]! * ramp[x]! * ramp[y]! * amount;
      }
    }
  }
}

/** The reference without its broad forms. The bound excludes hard edges of its motif, which are not texture. */
function detailOf(reference: Picture, sigma: number): Picture {
  return mapPlanes(reference, (plane) => {
    const smooth = blur(plane, reference.width, sigma);
    return plane.map((value, i) => clamp(value - smooth[i]!, -0.14, 0.14));
  });
}

/** A function that returns the mean lightness of the patch at a position. */
function lightnessOf({ planes, width, height }: Picture, half: number) {
  const smooth = blur(planes[0], width, half / 2);
  return (left: number, top: number) =>
    smooth[clamp(top + half, 0, height - 1) * width + clamp(left + half, 0, width - 1)]!;
}

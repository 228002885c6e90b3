import { blur, clamp, mapPlanes, unitOf, type Picture } from '../picture/picture.ts';
import { createRandom } from '../picture/random.ts';

/** The number of random patches compared for each position, and the bonus of the patch that continues its neighbour. */
const CANDIDATES = 24;
const CONTINUITY = 0.05;

/**
 * Adds the surface of the reference (brush marks, grain, weave) to a picture. The fine detail of the reference is cut
 * into overlapping patches; each position of the picture gets a patch of similar lightness, preferably the patch that
 * continues its neighbour (Efros and Freeman 2001, with cross-fades instead of seams).
 */
export function layTexture(picture: Picture, reference: Picture, amount: number, seed: number): Picture {
  const half = Math.max(3, Math.round(14 * unitOf(picture)));
  const patch = 2 * half;
  const [maxLeft, maxTop] = [reference.width - patch, reference.height - patch];
  if (maxLeft <= 0 || maxTop <= 0) return picture;
  const random = createRandom(seed);
  const detail = detailOf(reference, patch / 3);
  const available = lightnessOf(reference, half);
  const wanted = lightnessOf(picture, half);
  // Weights that sum up to `amount` where patches overlap by half.
  const ramp = Float32Array.from({ length: patch }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / patch) ** 2);
  const result = mapPlanes(picture, (plane) => plane.slice());
  for (let top = -half; top < picture.height; top += half) {
    let best = { left: 0, top: 0 };
    for (let left = -half; left < picture.width; left += half) {
      best = bestPatch({ left: best.left + half, top: best.top }, wanted(left, top));
      addPatch(best.left, best.top, left, top);
    }
  }
  return result;

  function bestPatch(next: { left: number; top: number }, light: number) {
    const difference = (place: typeof next) => Math.abs(available(place.left, place.top) - light);
    let best = next;
    let least = next.left <= maxLeft ? difference(next) - CONTINUITY : Infinity;
    for (let i = 0; i < CANDIDATES; i++) {
      const place = { left: Math.floor(random() * maxLeft), top: Math.floor(random() * maxTop) };
      if (difference(place) < least) [least, best] = [difference(place), place];
    }
    return best;
  }

  function addPatch(fromX: number, fromY: number, left: number, top: number): void {
    const [startX, endX] = [Math.max(0, -left), Math.min(patch, picture.width - left)];
    for (let y = Math.max(0, -top); y < Math.min(patch, picture.height - top); y++) {
      const source = (fromY + y) * reference.width + fromX;
      const target = (top + y) * picture.width + left;
      for (const [axis, plane] of result.planes.entries()) {
        const added = detail.planes[axis]!;
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

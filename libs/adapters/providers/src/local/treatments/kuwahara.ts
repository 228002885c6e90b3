import { blur, blurPicture } from '../picture/blur.ts';
import { blankPicture, clamp, type Picture } from '../picture/picture.ts';

const SECTORS = 8;

/**
 * Smooths areas flat and keeps edges sharp: each pixel becomes the mean of those of the eight neighbourhoods
 * around it that are most even (after Papari et al. 2007, with blurred discs for sectors).
 */
export function kuwahara(picture: Picture, radius: number): Picture {
  const { width, height } = picture;
  const means = blurPicture(picture, radius / 2);
  const evenness = evennessOf(picture, means, radius / 2);
  const result = blankPicture(width, height);
  const reach = Math.max(1, Math.round(radius * 0.8));
  const stepsX = new Int32Array(SECTORS);
  const stepsY = new Int32Array(SECTORS);
  for (let sector = 0; sector < SECTORS; sector++) {
    stepsX[sector] = Math.round(Math.cos((sector * 2 * Math.PI) / SECTORS) * reach);
    stepsY[sector] = Math.round(Math.sin((sector * 2 * Math.PI) / SECTORS) * reach);
  }
  const rows = new Int32Array(SECTORS);
  for (let y = 0, i = 0; y < height; y++) {
    for (let sector = 0; sector < SECTORS; sector++) {
      rows[sector] = clamp(y + stepsY[sector]!, 0, height - 1) * width;
    }
    for (let x = 0; x < width; x++, i++) {
      let weights = 0;
      let l = 0;
      let a = 0;
      let b = 0;
      for (let sector = 0; sector < SECTORS; sector++) {
        const column = x + stepsX[sector]!;
        const place = rows[sector]! + (column < 0 ? 0 : column >= width ? width - 1 : column);
        const weight = evenness[place]!;
        weights += weight;
        l += means.l[place]! * weight;
        a += means.a[place]! * weight;
        b += means.b[place]! * weight;
      }
      result.l[i] = l / weights;
      result.a[i] = a / weights;
      result.b[i] = b / weights;
    }
  }
  return result;
}

/** A steep measure: of two neighbourhoods the one with half the variance counts sixteen times as much. */
function evennessOf(picture: Picture, means: Picture, sigma: number): Float32Array {
  const squares = squaresOf(picture);
  const evenness = blur(squares, picture.width, picture.height, sigma);
  const ofMeans = squaresOf(means);
  for (let i = 0; i < evenness.length; i++) {
    const variance = evenness[i]! - ofMeans[i]!;
    const steep = 1 / (1e-4 + (variance > 0 ? variance : 0));
    evenness[i] = steep * steep * steep * steep;
  }
  return evenness;
}

function squaresOf({ l, a, b }: Picture): Float32Array {
  const squares = new Float32Array(l.length);
  for (let i = 0; i < squares.length; i++) squares[i] = l[i]! * l[i]! + a[i]! * a[i]! + b[i]! * b[i]!;
  return squares;
}

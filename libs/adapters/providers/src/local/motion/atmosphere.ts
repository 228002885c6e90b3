import { fractalNoise } from '../picture/noise.ts';
import { smoothstep } from '../picture/picture.ts';
import { NODE_SPACING, type NodeGrid } from './node-grid.ts';

export type Atmosphere = 'snow' | 'rain' | 'embers' | 'mist' | 'ripples' | 'dust';

export interface AtmosphereSetting {
  readonly atmosphere: Atmosphere | null;
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  /** 0..1. */
  readonly strength: number;
}

/**
 * Adds light, fog and waves to a frame's grid, which the camera has aimed already.
 *
 * @param seconds since the first frame
 * @param presence 0 in the first frame, so that it stays as it is; 1 when all of it has come up
 */
export function breatheAir(
  grid: NodeGrid,
  nearness: Float32Array,
  setting: AtmosphereSetting,
  seconds: number,
  presence: number,
): void {
  const { atmosphere, width, height, seed, strength } = setting;
  const long = Math.max(width, height);
  const turn = (seed % 628) / 100 + seconds * 0.5;
  const lightX = width * (0.5 + 0.42 * Math.cos(turn));
  const lightY = height * (0.36 + 0.2 * Math.sin(turn * 0.8));
  const reach = long * 0.42;
  const glow = presence * strength * 0.2;
  const gloom = presence * strength * (atmosphere === 'rain' ? 0.16 : 0.05);
  const fog = atmosphere === 'mist' ? presence * (0.35 + 0.45 * strength) : 0;
  const wave = atmosphere === 'ripples' ? presence * (0.4 + strength) * long * 0.0032 : 0;
  for (let row = 0, i = 0; row < grid.rows; row++) {
    const y = row * NODE_SPACING;
    for (let column = 0; column < grid.columns; column++, i++) {
      const x = column * NODE_SPACING;
      const distance = ((x - lightX) ** 2 + (y - lightY) ** 2) / (reach * reach);
      grid.gain[i] = 1 + glow * Math.exp(-distance) - gloom;
      grid.fog[i] = 0;
      if (fog > 0) {
        const drift = seconds * 0.11;
        const bank = fractalNoise((x / long) * 3.4 + drift, (y / long) * 6.5 - drift * 0.3, seed, 4);
        grid.fog[i] = fog * smoothstep(0.36, 0.8, bank) * (1.1 - 0.75 * nearness[i]!);
      }
      if (wave > 0) {
        // Waves belong to what lies low, as water does; they shorten towards the horizon.
        const low = smoothstep(0.35, 0.75, y / height) * wave;
        const phase = (y / long) * 95 - seconds * 3.4;
        grid.fromX[i]! += low * (Math.sin(phase) + 0.6 * Math.sin(phase * 0.43 + (x / long) * 21));
        grid.fromY[i]! += low * 0.7 * Math.sin((x / long) * 33 + seconds * 2.6 + phase * 0.3);
      }
    }
  }
}

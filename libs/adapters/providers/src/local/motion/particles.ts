import { between, createRandom } from '../picture/random.ts';
import type { AtmosphereSetting, Atmosphere } from './atmosphere.ts';
import type { FrameBytes } from './frame-painter.ts';
import { yuvOf } from './planes.ts';

interface Particle {
  /** Place in the first frame, 0..1 of the frame. */
  readonly x: number;
  readonly y: number;
  /** 0 far, 1 near: nearer ones are larger and faster. */
  readonly near: number;
  readonly phase: number;
}

interface Kind {
  /** In a frame of a million pixels. */
  readonly count: number;
  readonly colour: readonly [number, number, number];
  /** Frame heights a second; downwards is positive. */
  readonly fall: number;
  readonly drift: number;
  /** How far it swings sideways, in frame heights. */
  readonly sway: number;
  /** Radius in thousandths of the frame's longer side. */
  readonly size: number;
  /** How many times longer than wide. */
  readonly length: number;
  readonly opacity: number;
  /** How much its brightness flickers, 0..1. */
  readonly flicker: number;
}

const KINDS: Readonly<Partial<Record<Atmosphere, Kind>>> = {
  snow: {
    count: 1000,
    colour: [250, 252, 255],
    fall: 0.16,
    drift: 0.02,
    sway: 0.02,
    size: 3.2,
    length: 1,
    opacity: 0.85,
    flicker: 0,
  },
  rain: {
    count: 700,
    colour: [205, 215, 228],
    fall: 1.5,
    drift: -0.12,
    sway: 0,
    size: 0.8,
    length: 24,
    opacity: 0.5,
    flicker: 0,
  },
  embers: {
    count: 170,
    colour: [255, 158, 60],
    fall: -0.15,
    drift: 0.03,
    sway: 0.03,
    size: 2.6,
    length: 1.4,
    opacity: 0.95,
    flicker: 0.6,
  },
  dust: {
    count: 110,
    colour: [255, 240, 208],
    fall: -0.018,
    drift: 0.014,
    sway: 0.012,
    size: 2.2,
    length: 1,
    opacity: 0.55,
    flicker: 0.7,
  },
};

/** Draws what falls, rises or floats through the air of a video. */
export class Particles {
  readonly #kind: Kind | undefined;
  readonly #particles: readonly Particle[];
  readonly #strength: number;

  constructor({ atmosphere, width, height, seed, strength }: AtmosphereSetting) {
    this.#kind = atmosphere ? KINDS[atmosphere] : undefined;
    this.#strength = 0.5 + 0.5 * strength;
    const random = createRandom(seed);
    const count = this.#kind ? Math.ceil((this.#kind.count * width * height * (0.4 + strength)) / 1e6) : 0;
    this.#particles = Array.from({ length: count }, () => ({
      x: random(),
      y: random(),
      near: random() ** 2,
      phase: between(random, 0, 2 * Math.PI),
    }));
  }

  /** @param presence 0: none is seen, 1: all are */
  draw(frame: FrameBytes, seconds: number, presence: number): void {
    const kind = this.#kind;
    if (!kind || presence <= 0) return;
    const { width, height } = frame;
    const colour = yuvOf(...kind.colour);
    for (const { x, y, near, phase } of this.#particles) {
      const speed = 0.45 + near;
      const swing = kind.sway * Math.sin(phase + seconds * (0.8 + near));
      // Each leaves at one border and comes in again at the other, a little outside of the frame.
      const left = wrap(x + ((kind.drift * seconds * speed + swing) * height) / width) * width;
      const top = wrap(y + kind.fall * seconds * speed) * height;
      const radius = (kind.size * (0.4 + near) * Math.max(width, height)) / 1000;
      const flicker = 1 - kind.flicker * (0.5 + 0.5 * Math.sin(phase * 7 + seconds * 5));
      const opacity = kind.opacity * this.#strength * presence * flicker * (0.45 + 0.55 * near);
      const lean = kind.fall === 0 ? 0 : kind.drift / kind.fall;
      splat(frame, { left, top, radius, length: kind.length, lean, opacity, colour });
    }
  }
}

function wrap(position: number): number {
  const span = 1.1;
  const inside = (position + 0.05) % span;
  return (inside < 0 ? inside + span : inside) - 0.05;
}

interface Splat {
  readonly left: number;
  readonly top: number;
  readonly radius: number;
  readonly length: number;
  /** Sideways for each pixel downwards. */
  readonly lean: number;
  readonly opacity: number;
  readonly colour: readonly [number, number, number];
}

/** A soft dot or streak, on luma and at half the size on the colour planes. */
function splat(frame: FrameBytes, shape: Splat): void {
  const { width, height } = frame;
  const half = width / 2;
  const reachY = Math.max(1, shape.radius * shape.length * 2);
  const reachX = Math.max(1, shape.radius * 2 + Math.abs(shape.lean) * reachY);
  const radius = Math.max(0.6, shape.radius);
  for (
    let y = Math.max(0, Math.ceil(shape.top - reachY));
    y <= Math.min(height - 1, shape.top + reachY);
    y++
  ) {
    const dy = y - shape.top;
    for (
      let x = Math.max(0, Math.ceil(shape.left - reachX));
      x <= Math.min(width - 1, shape.left + reachX);
      x++
    ) {
      const dx = (x - shape.left - shape.lean * dy) / radius;
      const along = dy / (radius * shape.length);
      const alpha = shape.opacity * Math.exp(-(dx * dx + along * along) * 1.1);
      if (alpha < 0.01) continue;
      const i = y * width + x;
      frame.y[i] = frame.y[i]! + (shape.colour[0] - frame.y[i]!) * alpha + 0.5;
      if ((x & 1) === 1 || (y & 1) === 1) continue;
      const place = (y >> 1) * half + (x >> 1);
      frame.u[place] = frame.u[place]! + (shape.colour[1] - frame.u[place]!) * alpha + 0.5;
      frame.v[place] = frame.v[place]! + (shape.colour[2] - frame.v[place]!) * alpha + 0.5;
    }
  }
}

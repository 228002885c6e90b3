import { describe, expect, it } from '@jest/globals';
import { rgbFromPicture } from '../picture/oklab.ts';
import { testPicture } from '../testing/test-pictures.ts';
import { breatheAir, type Atmosphere } from './atmosphere.ts';
import { aimCamera, type CameraMove } from './camera.ts';
import { guessNearness } from './depth.ts';
import { createFrameBytes, FramePainter } from './frame-painter.ts';
import { createNodeGrid, NODE_SPACING } from './node-grid.ts';
import { Particles } from './particles.ts';
import { planesFromRgb, yuvOf } from './planes.ts';

const MOVES: CameraMove[] = ['in', 'left', 'right', 'up', 'down', 'still'];
const ATMOSPHERES: Array<Atmosphere | null> = ['snow', 'rain', 'embers', 'mist', 'ripples', 'dust', null];
const FOG = yuvOf(214, 220, 226);

const size = { width: 102, height: 70 };
const start = planesFromRgb(rgbFromPicture(testPicture(1, size)), size.width, size.height);
const end = planesFromRgb(rgbFromPicture(testPicture(2, size)), size.width, size.height);

function filmed(options: {
  move?: CameraMove;
  atmosphere?: Atmosphere | null;
  travelled?: number;
  seconds?: number;
  presence?: number;
  turned?: number;
}) {
  const { move = 'in', atmosphere = null, travelled = 0, seconds = 0, presence = 0, turned = 0 } = options;
  const grid = createNodeGrid(size.width, size.height);
  const nearness = guessNearness(start, grid);
  const air = { atmosphere, ...size, seed: 5, strength: 1 };
  aimCamera(grid, nearness, size, { move, amount: 1 }, travelled);
  breatheAir(grid, nearness, air, seconds, presence);
  const frame = createFrameBytes(size.width, size.height);
  new FramePainter(start, end, FOG).paint(frame, grid, turned);
  new Particles(air).draw(frame, seconds, presence);
  return { frame, grid };
}

const rounded = (plane: Float32Array) => Uint8Array.from(plane, (value) => value + 0.5);

describe('a frame', () => {
  it.each(MOVES)('is the picture itself before the camera goes %s', (move) => {
    for (const atmosphere of ATMOSPHERES) {
      const { frame } = filmed({ move, atmosphere });
      expect(Uint8Array.from(frame.y)).toEqual(rounded(start.y));
      expect(Uint8Array.from(frame.u)).toEqual(rounded(start.u));
      expect(Uint8Array.from(frame.v)).toEqual(rounded(start.v));
    }
  });

  it('is the other picture once the colours have turned', () => {
    const { frame } = filmed({ turned: 1 });
    expect(Uint8Array.from(frame.y)).toEqual(rounded(end.y));
    expect(Uint8Array.from(frame.v)).toEqual(rounded(end.v));
  });

  it('fills one buffer with its three planes', () => {
    const { frame } = filmed({});
    expect(frame.bytes).toHaveLength((size.width * size.height * 3) / 2);
    expect(Buffer.concat([frame.y, frame.u, frame.v])).toEqual(frame.bytes);
  });

  it.each(ATMOSPHERES)('changes when there is %s in the air', (atmosphere) => {
    const still = filmed({ atmosphere, seconds: 1, presence: 0 }).frame.bytes;
    const stirred = filmed({ atmosphere, seconds: 1, presence: 1 }).frame.bytes;
    const later = filmed({ atmosphere, seconds: 1.5, presence: 1 }).frame.bytes;
    expect(stirred).not.toEqual(still);
    expect(later).not.toEqual(stirred);
  });
});

describe('a camera', () => {
  it.each(MOVES)('that goes %s moves, and never looks beyond the picture', (move) => {
    const { grid } = filmed({ move, travelled: 1 });
    let farthest = 0;
    for (let row = 0, i = 0; row < grid.rows; row++) {
      for (let column = 0; column < grid.columns; column++, i++) {
        const [x, y] = [column * NODE_SPACING, row * NODE_SPACING];
        expect(grid.fromX[i]).toBeGreaterThanOrEqual(0);
        expect(grid.fromY[i]).toBeGreaterThanOrEqual(0);
        expect(grid.fromX[i]).toBeLessThanOrEqual(Math.max(size.width - 1, x));
        expect(grid.fromY[i]).toBeLessThanOrEqual(Math.max(size.height - 1, y));
        farthest = Math.max(farthest, Math.hypot(grid.fromX[i]! - x, grid.fromY[i]! - y));
      }
    }
    expect(farthest).toBeGreaterThan(move === 'still' ? 0.8 : 6);
  });

  it('goes left and right the way that it says', () => {
    const middle = (move: CameraMove) => {
      const { grid } = filmed({ move, travelled: 1 });
      const i = Math.floor(grid.rows / 2) * grid.columns + Math.floor(grid.columns / 2);
      return grid.fromX[i]! - Math.floor(grid.columns / 2) * NODE_SPACING;
    };
    expect(middle('right')).toBeGreaterThan(1);
    expect(middle('left')).toBeLessThan(-1);
  });
});

describe('planes', () => {
  it('keep black and white within the range of video', () => {
    expect(yuvOf(0, 0, 0)).toEqual([16, 128, 128]);
    expect(yuvOf(255, 255, 255).map(Math.round)).toEqual([235, 128, 128]);
    expect(yuvOf(255, 0, 0)[2]).toBeCloseTo(240, 0);
    expect(yuvOf(0, 0, 255)[1]).toBeCloseTo(240, 0);
  });
});

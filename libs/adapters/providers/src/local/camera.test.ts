import { expect, it } from '@jest/globals';
import { camera, type CameraMove } from './camera.ts';

const FRAMES = 48;
const MOVES: CameraMove[] = ['closer', 'left', 'right', 'up', 'down'];

/** The corners of the view in one frame, as FFmpeg calculates them, in sides of the picture. */
function cornersAt(filter: string, frame: number): number[] {
  return [...filter.matchAll(/[xy]\d='([^']+)'/g)].map(([, expression]) => {
    const script = `return ${expression!.replaceAll('if(', 'choose(')}`;
    const evaluate = new Function('W', 'H', 'on', 'lt', 'pow', 'choose', script) as (...values: unknown[]) => number;
    const choose = (condition: boolean, yes: number, no: number) => (condition ? yes : no);
    return evaluate(1, 1, frame, (a: number, b: number) => a < b, Math.pow, choose);
  });
}

it.each(MOVES)('the camera that moves %s starts with the whole picture and never leaves it', (move) => {
  const filter = camera(move, 1, FRAMES);
  expect(cornersAt(filter, 1)).toEqual([0, 0, 1, 0, 0, 1, 1, 1]);
  for (let frame = 2; frame <= FRAMES; frame++) {
    const corners = cornersAt(filter, frame);
    expect(corners).toHaveLength(8);
    expect(Math.min(...corners)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...corners)).toBeLessThanOrEqual(1);
  }
});

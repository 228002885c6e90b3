import { expect, it } from '@jest/globals';
import { ZipPlaces } from './zip-places.ts';

it('an address downloads a link once, and four links, at the same time', () => {
  const places = new ZipPlaces();
  const running = { code: 'download_running' };
  const free = [1, 2, 3, 4].map((shareId) => places.take('192.0.2.1', shareId));
  expect(() => places.take('192.0.2.1', 5)).toThrow(expect.objectContaining(running));
  places.take('192.0.2.2', 5);
  free[0]!();
  expect(() => places.take('192.0.2.1', 2)).toThrow(expect.objectContaining(running));
  for (const end of free) end();
  places.take('192.0.2.1', 1)();
  places.take('192.0.2.1', 1);
  expect(() => places.take('192.0.2.1', 1)).toThrow(expect.objectContaining(running));
});

import { expect, it } from '@jest/globals';
import { Viewport } from './viewport.ts';

const frame = { x: 0, y: 0, width: 400, height: 300 };

it('keeps the picture in the middle of a stage that changes its size, until it is moved', () => {
  const viewport = new Viewport(frame);
  viewport.resize({ width: 448, height: 348 });
  expect(viewport.view.get()).toEqual({ scale: 1, x: 24, y: 24 });
  viewport.resize({ width: 248, height: 348 });
  expect(viewport.view.get().scale).toBe(0.5);
  viewport.zoom(2);
  viewport.resize({ width: 448, height: 348 });
  expect(viewport.view.get().scale).toBe(1);
  viewport.fit();
  expect(viewport.view.get()).toEqual({ scale: 1, x: 24, y: 24 });
});

it('zooms in the middle of the stage where no point is named', () => {
  const viewport = new Viewport(frame);
  viewport.resize({ width: 448, height: 348 });
  viewport.zoom(2);
  expect(viewport.view.get()).toEqual({ scale: 2, x: -176, y: -126 });
});

it('shows a larger frame as a whole only when asked to', () => {
  const viewport = new Viewport(frame);
  viewport.resize({ width: 448, height: 348 });
  viewport.reframe({ x: -400, y: 0, width: 800, height: 300 });
  expect(viewport.view.get().scale).toBe(1);
  viewport.fit();
  expect(viewport.view.get()).toEqual({ scale: 0.5, x: 224, y: 99 });
});

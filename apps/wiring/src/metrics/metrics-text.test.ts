import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Gauge, Registry } from 'prom-client';
import { MetricsText } from './metrics-server.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('the metrics are collected at most once a second for concurrent scrapes', async () => {
  const registry = new Registry();
  let collections = 0;
  const collect = () => void collections++;
  new Gauge({ name: 'x', help: '-', registers: [registry], collect });
  const metrics = new MetricsText(registry);
  const texts = await Promise.all(Array.from({ length: 100 }, () => metrics.read()));
  jest.advanceTimersByTime(999);
  texts.push(await metrics.read());
  expect([new Set(texts).size, collections]).toEqual([1, 1]);
  jest.advanceTimersByTime(1);
  await metrics.read();
  expect(collections).toBe(2);
});

import { describe, expect, it } from '@jest/globals';
import { runningRequest } from './checked-unit-of-work.ts';
import { waiting } from './waiting.ts';
import { Waits } from './waits.ts';

describe('the waits of a request', () => {
  it('count from the first that begins to the last that ends', () => {
    const waits = new Waits();
    expect(waits.ms).toBe(0);
    waits.begin();
    waits.begin();
    waits.end();
    const running = waits.ms;
    waits.end();
    expect(waits.ms).toBeGreaterThanOrEqual(running);
    expect(waits.ms).toBe(waits.ms);
  });

  it('are those of its own calls, also of calls that fail', async () => {
    const request: { waits?: Waits } = {};
    const failed = runningRequest.run(request, () => waiting(() => Promise.reject(new Error('no'))));
    await expect(failed).rejects.toThrow('no');
    expect(request.waits!.ms).toBe(request.waits!.ms);
    expect(await waiting(() => Promise.resolve(7))).toBe(7);
  });
});

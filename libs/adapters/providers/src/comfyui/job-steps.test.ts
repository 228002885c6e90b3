import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { VendorSocket } from '#adapters/outgoing-http';
import { JobSteps, stepOf } from './job-steps.ts';

const message = (data: object, type = 'progress') => JSON.stringify({ type, data });

interface Told {
  tell: (data: unknown) => void;
  isClosed: boolean;
}

it.each<[string, unknown, number | null]>([
  ['a step of the job', message({ prompt_id: 'a', value: 3, max: 4 }), 0.75],
  ['the last step', message({ prompt_id: 'a', value: 4, max: 4 }), 1],
  ['more than the last step', message({ prompt_id: 'a', value: 9, max: 4 }), 1],
  ['a step of another job', message({ prompt_id: 'b', value: 3, max: 4 }), null],
  ['of another type', message({ prompt_id: 'a', value: 3, max: 4 }, 'status'), null],
  ['without steps', message({ prompt_id: 'a', value: 0, max: 0 }), null],
  ['with text for numbers', message({ prompt_id: 'a', value: '3', max: 4 }), null],
  ['with a negative step', message({ prompt_id: 'a', value: -3, max: 4 }), null],
  ['a preview', new Blob(['png']), null],
  ['no JSON', '{', null],
  ['JSON without an object', 'null', null],
])('a message of ComfyUI that is %s', (_, data, expected) => expect(stepOf(data, 'a')).toBe(expected));

describe('the steps of jobs', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
  const passed = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  const watching = (open?: (id: string) => Promise<VendorSocket>) => {
    const sockets = new Map<string, Told>();
    const steps = new JobSteps(
      open ??
        (async (id) => {
          const socket: Told = { tell: () => undefined, isClosed: false };
          sockets.set(id, socket);
          return { onMessage: (listener) => (socket.tell = listener), close: () => (socket.isClosed = true) };
        }),
    );
    return { steps, sockets };
  };

  it('are watched from the first question to the end of the job', async () => {
    const { steps, sockets } = watching();
    expect(steps.progressOf('a')).toBe(null);
    await passed(1);
    sockets.get('a')!.tell(message({ prompt_id: 'a', value: 1, max: 4 }));
    sockets.get('a')!.tell('{');
    expect(steps.progressOf('a')).toBe(0.25);
    steps.end('a');
    steps.end('unknown');
    await passed(1);
    expect(sockets.get('a')!.isClosed).toBe(true);
  });

  it('are unknown when no WebSocket can be opened, which is not tried with each question', async () => {
    let opened = 0;
    const { steps } = watching(() => (opened++, Promise.reject(new Error('refused'))));
    for (let i = 0; i < 3; i++) {
      expect(steps.progressOf('a')).toBe(null);
      await passed(1);
    }
    expect(opened).toBe(1);
  });

  it('are watched for a minute after the last question', async () => {
    const { steps, sockets } = watching();
    const isClosed = async (ms: number) => (await passed(ms), sockets.get('a')!.isClosed);
    steps.progressOf('a');
    expect(await isClosed(40_000)).toBe(false);
    steps.progressOf('a');
    expect([await isClosed(59_000), await isClosed(2000)]).toEqual([false, true]);
  });

  it('are watched for 50 jobs at a time', () => {
    const { steps, sockets } = watching();
    for (let i = 0; i < 60; i++) expect(steps.progressOf(String(i))).toBe(null);
    expect(sockets.size).toBe(50);
  });
});

import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openHttpSource, type HttpSource } from '../../../../libs/adapters/outgoing-http/src/testing/http-source.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { runningZips, sendChunks } from './send-chunks.ts';

let source: HttpSource;
afterEach(() => source.close());

/** Serves chunks without end. */
async function serveEndless(stallMs?: number) {
  const seen = { chunks: 0, hasEnded: false, error: null as unknown };
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        seen.chunks++;
        yield Buffer.alloc(65_536);
        await new Promise(setImmediate);
      }
    } finally {
      seen.hasEnded = true;
    }
  }
  source = await openHttpSource((_, response) => {
    sendChunks(response, endless(), stallMs).catch((error: unknown) => (seen.error = error));
  });
  const socket = connect(Number(new URL(source.url()).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return { seen, socket };
}

describe('chunks that are sent', () => {
  it('are read no further than a client reads, and are left when it stops', async () => {
    const { seen, socket } = await serveEndless(500);
    await eventually(() => seen.chunks > 0);
    socket.pause();
    await eventually(() => seen.hasEnded);
    expect(seen.chunks).toBeLessThan(1000);
    expect(seen.error).toBeNull();
  });

  it('are left when the client disconnects', async () => {
    const { seen, socket } = await serveEndless();
    await new Promise((resolve) => socket.once('data', resolve));
    expect(runningZips()).toBe(1);
    socket.destroy();
    await eventually(() => seen.hasEnded && runningZips() === 0);
    expect(seen.error).toBeNull();
  });

  it('close the connection when they fail, so that the client sees it', async () => {
    let reported: unknown;
    source = await openHttpSource((_, response) => {
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(10);
        throw new Error('the storage is gone');
      }
      sendChunks(response, failing()).catch((error: unknown) => (reported = error));
    });
    await expect(fetch(source.url()).then((response) => response.arrayBuffer())).rejects.toThrow();
    expect(reported).toMatchObject({ message: 'the storage is gone' });
  });
});

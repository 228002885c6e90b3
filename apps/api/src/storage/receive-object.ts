import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DiskObjectStorage } from '#adapters/storage';
import { DomainError } from '#kernel';

/** A client that was refused may go on sending for so long, so that it gets to read why. */
const LINGER_MS = 10_000;

/**
 * Stores what is PUT to a signed URL.
 *
 * @throws DomainError `forbidden`, `too_large`, `unavailable`
 */
export async function receiveObject(
  request: IncomingMessage,
  response: ServerResponse,
  storage: Pick<DiskObjectStorage, 'permissionOf' | 'receive'>,
  target: { readonly key: string; readonly query: string },
): Promise<void> {
  try {
    const permission = storage.permissionOf(target.key, target.query);
    if (!permission) throw new DomainError('forbidden', 'the URL is not signed, or its time is over');
    refuseUnsignedOrders(request);
    if (Number(request.headers['content-length'] ?? 0) > permission.maxBytes) {
      throw new DomainError('too_large', `at most ${permission.maxBytes} bytes can be sent`);
    }
    // Left to itself, the loop over the stream would end the connection together with itself.
    const bytes = request.iterator({ destroyOnReturn: false });
    const { etag } = await storage.receive(permission, bytes as AsyncIterable<Buffer>);
    const told = {
      ETag: `"${etag}"`,
      'Access-Control-Expose-Headers': 'ETag, X-Request-Id',
      'Content-Length': 0,
    };
    response.writeHead(200, told).end();
  } catch (error) {
    // Nobody is left to be answered.
    if (request.socket.destroyed) return;
    response.once('finish', () => linger(request));
    throw error;
  }
}

/** What an S3 store would take for orders, such as to copy another object, that the signature does not cover. */
function refuseUnsignedOrders({ headers }: IncomingMessage): void {
  const order = Object.keys(headers).find((name) => name.startsWith('x-amz-'));
  if (order) throw new DomainError('forbidden', `leave out the header ${order}: it is not signed`);
}

function linger(request: IncomingMessage): void {
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, LINGER_MS).unref();
}

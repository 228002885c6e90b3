import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DiskObjectStorage } from '#adapters/storage';
import { DomainError } from '#kernel';

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
    if (!permission) throw new DomainError('forbidden', 'the URL is not signed, or it has expired');
    refuseUnsignedHeaders(request);
    if (Number(request.headers['content-length'] ?? 0) > permission.maxBytes) {
      throw new DomainError('too_large', `at most ${permission.maxBytes} bytes can be sent`);
    }
    // By default the iterator destroys the connection when the loop ends.
    const bytes = request.iterator({ destroyOnReturn: false });
    const { etag } = await storage.receive(permission, bytes as AsyncIterable<Buffer>);
    const headers = { ETag: `"${etag}"`, 'Access-Control-Expose-Headers': 'ETag, X-Request-Id', 'Content-Length': 0 };
    response.writeHead(200, headers).end();
  } catch (error) {
    // The client has disconnected.
    if (request.socket.destroyed) return;
    throw error;
  }
}

/** Refuses headers that the signature does not cover and that an S3 store would act on, such as a copy source. */
function refuseUnsignedHeaders({ headers }: IncomingMessage): void {
  const unsigned = Object.keys(headers).find((name) => name.startsWith('x-amz-'));
  if (unsigned) throw new DomainError('forbidden', `leave out the header ${unsigned}: it is not signed`);
}

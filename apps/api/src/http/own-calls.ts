import type { IncomingMessage } from 'node:http';

const connections = new WeakSet<object>();

/** Marks a connection within this process, which no client has. */
export function markOwnConnection(connection: object): void {
  connections.add(connection);
}

/** Reports whether this service sends the request to itself, for a caller whose request it serves. */
export function isOwnCall({ socket }: IncomingMessage): boolean {
  return connections.has(socket);
}

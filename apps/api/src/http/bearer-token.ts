import type { IncomingMessage } from 'node:http';

/** The token that the request carries, or `null`. */
export function bearerToken(request: IncomingMessage): string | null {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

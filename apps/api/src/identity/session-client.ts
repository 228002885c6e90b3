import type { Request } from 'express';
import type { SessionClient } from '#identity';

/** Characters of a `User-Agent` that are kept. */
const MAX_USER_AGENT = 256;

/** Where a session is opened. */
export function clientOf({ ip, headers }: Request): SessionClient {
  return { address: ip ?? null, userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null };
}

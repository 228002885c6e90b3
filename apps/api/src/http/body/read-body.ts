import type { IncomingMessage } from 'node:http';
import getRawBody, { type RawBodyError } from 'raw-body';
import { DomainError, invalidField } from '#kernel';
import type { ApiRequest, FieldValues } from '../request.ts';
import { type OtherBodies, parseBody } from './parse-body.ts';

/** The setting of the application that holds the size of the largest body, in bytes. */
export const MAX_BODY_BYTES = 'max body bytes';
/** The largest body with fields of a caller who has not signed in, in bytes. */
const MAX_PUBLIC_BODY_BYTES = 16_384;

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A character of four bytes, each of them escaped in a form; or two escaped units in JSON. */
const MAX_CHARACTER_BYTES = 12;

/** A route's declaration of its body. */
export interface BodyOptions extends OtherBodies {
  /** Characters of its long text. */
  readonly textLength?: number | undefined;
}

/** Reads and parses the body. */
export async function readBodyFields(
  request: ApiRequest,
  { textLength = 0, ...others }: BodyOptions = {},
): Promise<FieldValues> {
  const isKnown = request.actor !== undefined || request.operator !== undefined;
  const known = others.file && others.file.maxBytes + MAX_PUBLIC_BODY_BYTES;
  const limit = isKnown ? known : MAX_PUBLIC_BODY_BYTES + textLength * MAX_CHARACTER_BYTES;
  return parseBody(await readBody(request, limit), request.headers['content-type'], others);
}

/**
 * Reads the body as it is.
 *
 * @param limit in bytes; by default that of the application
 * @throws DomainError `unsupported_media_type` if it is compressed, `too_large`, `validation_failed` if it ends early
 */
export async function readBody(
  request: ApiRequest,
  limit = request.app.get(MAX_BODY_BYTES) as number,
): Promise<Buffer> {
  const { 'content-encoding': encoding, 'content-length': length = null } = request.headers;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'send the body without Content-Encoding');
  }
  try {
    return await getRawBody(request, { limit, length });
  } catch (error) {
    if ((error as RawBodyError).type !== 'entity.too.large') throw invalidField('body', 'ended early');
    throw new DomainError('too_large', `the body must have at most ${limit} bytes`);
  }
}

import { isPrivateType } from './file-name.ts';

/** The response headers of a published object. */
export interface ObjectHeaders {
  readonly contentType: string;
  /** Full Cache-Control value. */
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentSecurityPolicy?: string;
  /**
   * The object is not served after this time, even if it is not deleted yet. Sent as Expires, and as the remaining
   * max-age by storages that support it.
   */
  readonly expiresAt?: Date;
}

const PUBLIC = 'public, max-age=315360000, immutable';
/** An SVG opened as a document may use inline styles only: no script, no request, no access to our origin. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The response headers of a saved file. No cache keeps a private file: its signed URL expires. */
export function servingHeaders(file: { readonly contentType: string; readonly expiresAt: Date | null }): ObjectHeaders {
  const { contentType, expiresAt } = file;
  return {
    contentType,
    cacheControl: isPrivateType(contentType) ? 'no-store' : expiresAt ? 'public' : PUBLIC,
    ...(expiresAt && { expiresAt }),
    ...(!/^(image|video)\//.test(contentType) && { contentDisposition: 'attachment' }),
    ...(contentType === 'image/svg+xml' && { contentSecurityPolicy: SVG_POLICY }),
  };
}

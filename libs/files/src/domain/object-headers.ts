/** How a published object is served. */
export interface ObjectHeaders {
  readonly contentType: string;
  /** Full Cache-Control value. */
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentSecurityPolicy?: string;
  /**
   * From this time on the object is not served any more, even where it is not deleted yet. Sent as Expires, and as
   * the max-age that is left where the storage can do that.
   */
  readonly expiresAt?: Date;
}

/** Shown alone, an SVG may style itself and nothing else: no script, no request, no access to our origin. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** How a saved file is served. */
export function servingHeaders(file: {
  readonly contentType: string;
  readonly expiresAt: Date | null;
}): ObjectHeaders {
  const { contentType, expiresAt } = file;
  return {
    contentType,
    cacheControl: expiresAt ? 'public' : 'public, max-age=315360000, immutable',
    ...(expiresAt && { expiresAt }),
    ...(!/^(image|video)\//.test(contentType) && { contentDisposition: 'attachment' }),
    ...(contentType === 'image/svg+xml' && { contentSecurityPolicy: SVG_POLICY }),
  };
}

import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import type { ObjectHeaders, ObjectInfo } from '#files';

export function infoOfHead(
  key: string,
  { ContentLength, ETag, LastModified }: HeadObjectCommandOutput,
): ObjectInfo {
  return { key, size: ContentLength ?? 0, etag: ETag ?? '', modifiedAt: LastModified ?? new Date(0) };
}

/** What a browser may show: nothing of it can run a script. */
const SHOWN = /^(?:image\/(?!svg)|video\/)/;

/**
 * How an object is served. A bucket sends neither a Content-Security-Policy nor `nosniff`: what may run a script is
 * not shown but saved. A page can have it as a picture all the same.
 */
export function servedWith(headers: ObjectHeaders) {
  const isShown = SHOWN.test(headers.contentType) && headers.contentSecurityPolicy === undefined;
  return {
    ContentType: headers.contentType,
    CacheControl: headers.cacheControl,
    ContentDisposition: isShown ? headers.contentDisposition : 'attachment',
    Expires: headers.expiresAt,
  };
}

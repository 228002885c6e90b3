import type { S3Options } from './s3-connection.ts';

/** Base URL of a bucket for clients, without a CDN. */
export function bucketUrl(
  options: Pick<S3Options, 'bucket' | 'region' | 'endpoint' | 'publicEndpoint' | 'forcePathStyle'>,
): string {
  const { bucket, region, endpoint, publicEndpoint, forcePathStyle } = options;
  const at = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (forcePathStyle) at.pathname = `${at.pathname.replace(/\/+$/, '')}/${bucket}`;
  else at.hostname = `${bucket}.${at.hostname}`;
  return at.href;
}

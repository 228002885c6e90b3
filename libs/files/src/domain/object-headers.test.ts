import { describe, expect, it } from '@jest/globals';
import { servingHeaders } from './object-headers.ts';

const FOREVER = 'public, max-age=315360000, immutable';

describe('a saved file', () => {
  it('may be cached for ever', () => {
    expect(servingHeaders({ contentType: 'image/png', expiresAt: null })).toEqual({
      contentType: 'image/png',
      cacheControl: FOREVER,
    });
  });

  it('may be cached until it expires when it is temporary', () => {
    const expiresAt = new Date('2026-03-14T09:26:53.589Z');
    expect(servingHeaders({ contentType: 'video/mp4', expiresAt })).toEqual({
      contentType: 'video/mp4',
      cacheControl: 'public',
      expiresAt,
    });
  });

  it.each(['application/x-safetensors', 'application/x-tar', 'application/json'])(
    'is kept by no cache when only the service reads it (%s)',
    (contentType) => {
      expect(servingHeaders({ contentType, expiresAt: null }).cacheControl).toBe('no-store');
    },
  );

  it('runs no script when it is an SVG', () => {
    const { contentSecurityPolicy } = servingHeaders({ contentType: 'image/svg+xml', expiresAt: null });
    expect(contentSecurityPolicy).toMatch(/^default-src 'none';.*\bsandbox$/);
  });

  it.each(['model/gltf-binary', 'model/gltf+json', 'application/octet-stream'])(
    'is downloaded rather than shown when it is a %s',
    (contentType) => {
      expect(servingHeaders({ contentType, expiresAt: null }).contentDisposition).toBe('attachment');
    },
  );
});

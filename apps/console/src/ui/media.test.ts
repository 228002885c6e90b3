import { describe, expect, it } from '@jest/globals';
import { formatOf, mediaKind, thumbnailOf } from './media.ts';

it.each([
  ['image/png', 'picture'],
  ['image/svg+xml', 'picture'],
  ['video/mp4', 'video'],
  ['model/gltf-binary', 'model'],
  ['model/gltf+json', 'model'],
  ['application/octet-stream', 'other'],
  [null, 'other'],
])('the kind of media of %s is %s', (contentType, kind) => expect(mediaKind(contentType)).toBe(kind));

describe('the thumbnail of media', () => {
  const thumbnails = [
    { url: 'small', width: 200 },
    { url: 'large', width: 800 },
  ];
  const picture = { url: 'itself', content_type: 'image/png', thumbnails };

  it('is the smallest that fills the width in the pixels of the screen', () => {
    expect(thumbnailOf(picture, 200, 1)).toBe('small');
    expect(thumbnailOf(picture, 201, 1)).toBe('large');
    expect(thumbnailOf(picture, 200, 2)).toBe('large');
  });

  it('is the largest if none fills it', () => expect(thumbnailOf(picture, 900, 1)).toBe('large'));

  it('is the picture itself without thumbnails, and nothing for other files', () => {
    expect(thumbnailOf({ ...picture, thumbnails: [] }, 200, 1)).toBe('itself');
    expect(thumbnailOf({ url: 'itself', content_type: 'model/gltf-binary' }, 200, 1)).toBeNull();
  });
});

it.each([
  ['image/svg+xml', 'SVG'],
  ['image/jpeg', 'JPEG'],
  ['video/mp4', 'MP4'],
  ['application/octet-stream', 'FBX'],
])('%s is called %s', (contentType, format) => expect(formatOf(contentType)).toBe(format));

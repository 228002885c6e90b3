import { describe, expect, it } from '@jest/globals';
import { formatOf, isLookedUp, mediaKind, thumbnailOf } from './media.ts';

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
    { url: 'small', width: 200, height: 200 },
    { url: 'large', width: 800, height: 800 },
  ];
  const picture = { url: 'itself', content_type: 'image/png', thumbnails };

  it('is the smallest that fills the width in the pixels of the screen', () => {
    expect(thumbnailOf(picture, 200, 1)).toBe('small');
    expect(thumbnailOf(picture, 201, 1)).toBe('large');
    expect(thumbnailOf(picture, 200, 2)).toBe('large');
  });

  it('is enlarged a little on a dense screen', () => {
    expect(thumbnailOf(picture, 142, 3)).toBe('small');
    expect(thumbnailOf(picture, 143, 3)).toBe('large');
  });

  it('is the largest if none fills it', () => expect(thumbnailOf(picture, 900, 1)).toBe('large'));

  it('is never the picture itself', () => expect(thumbnailOf({ ...picture, thumbnails: [] }, 200, 1)).toBeNull());
});

it.each([
  ['https://a.example/files/t/owl.png', 'image/png', true],
  ['https://a.example/files/t/owl.mp4', 'video/mp4', true],
  ['https://a.example/files/t/owl.png', null, true],
  ['https://a.example/files/t/owl.glb', 'model/gltf-binary', false],
  ['blob:https://a.example/1', 'image/png', false],
  [`https://a.example/${'a'.repeat(900)}`, 'image/png', false],
])('whether the thumbnails of %s, %s, are looked up: %s', (url, content_type, isAsked) =>
  expect(isLookedUp({ url, content_type })).toBe(isAsked),
);

it.each([
  ['image/svg+xml', 'SVG'],
  ['image/jpeg', 'JPEG'],
  ['video/mp4', 'MP4'],
  ['application/octet-stream', 'FBX'],
])('%s is called %s', (contentType, format) => expect(formatOf(contentType)).toBe(format));

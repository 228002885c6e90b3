import { describe, expect, it } from '@jest/globals';
import { CONTENT_TYPES } from '#files';
import { mediaKindOf, nameOfMedia } from './media-kind.ts';

describe('Every supported file type', () => {
  it.each(Object.entries(CONTENT_TYPES))('%s is of a kind, and gets a name of its type', (_, contentType) => {
    expect(mediaKindOf(contentType)).not.toBeNull();
    const extension = /\.(\w+)$/.exec(nameOfMedia(contentType))![1]!;
    expect(CONTENT_TYPES[extension as keyof typeof CONTENT_TYPES]).toBe(contentType);
  });

  it('is a picture, a drawing, a video or a model', () => {
    expect(mediaKindOf('image/jpeg')).toBe('picture');
    expect(mediaKindOf('image/svg+xml')).toBe('drawing');
    expect(mediaKindOf('video/mp4')).toBe('video');
    expect(mediaKindOf('model/gltf-binary')).toBe('model');
  });
});

it('has no kind for other types', () => {
  expect(mediaKindOf('text/html')).toBeNull();
  expect(mediaKindOf('')).toBeNull();
});

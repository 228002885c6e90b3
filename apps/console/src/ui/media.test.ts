import { expect, it } from '@jest/globals';
import { formatOf, isLookedUp, mediaKind } from './media.ts';

it.each([
  ['image/png', 'picture'],
  ['image/svg+xml', 'picture'],
  ['video/mp4', 'video'],
  ['model/gltf-binary', 'model'],
  ['model/gltf+json', 'model'],
  ['application/octet-stream', 'other'],
  [null, 'other'],
])('the kind of media of %s is %s', (contentType, kind) => expect(mediaKind(contentType)).toBe(kind));

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

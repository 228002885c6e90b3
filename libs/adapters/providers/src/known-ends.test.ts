import { expect, it } from '@jest/globals';
import { knownEndOf } from './known-ends.ts';

it.each([
  ['openai', 'dall-e-3', '2026-05-12', null],
  ['openai', 'gpt-image-1', '2026-10-23', 'gpt-image-1.5'],
  ['openai', 'gpt-image-1-mini', '2026-12-01', null],
  ['replicate', 'google/imagen-4-fast', '2026-08-17', null],
  ['replicate', 'google/imagen-4:5c7d5dc6', '2026-08-17', null],
  ['fal', 'fal-ai/imagen4/preview/ultra', '2026-08-17', null],
])('the end of the model of %s %s is known', (type, target, retiresAt, successor) => {
  expect(knownEndOf(type, target)).toEqual({ retiresAt, successor });
});

it.each([
  ['openai', 'gpt-image-1.5'],
  ['openai', 'google/imagen-4'],
  ['replicate', 'google/imagen-3'],
  ['comfyui', 'dall-e-3'],
])('no end of the model of %s %s is known', (type, target) => expect(knownEndOf(type, target)).toBeNull());

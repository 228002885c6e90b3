import { expect, it } from '@jest/globals';
import { modelNameIn } from './target.ts';

it.each([
  ['black-forest-labs/flux-schnell', 'black-forest-labs/flux-schnell'],
  ['  fal-ai/flux/dev ', 'fal-ai/flux/dev'],
  ['https://replicate.com/black-forest-labs/flux-schnell', 'black-forest-labs/flux-schnell'],
  ['https://www.replicate.com/black-forest-labs/flux-1.1-pro/api?tab=node#run', 'black-forest-labs/flux-1.1-pro'],
  ['https://fal.ai/models/fal-ai/flux/dev', 'fal-ai/flux/dev'],
  [
    'https://fal.ai/models/fal-ai/kling-video/v2/master/text-to-video/playground',
    'fal-ai/kling-video/v2/master/text-to-video',
  ],
  ['https://fal.ai/models/fal-ai/flux-lora/api', 'fal-ai/flux-lora'],
  ['https://example.com/owner/name', 'https://example.com/owner/name'],
  ['https://', 'https://'],
  ['https://constructor/a/b', 'https://constructor/a/b'],
])('the model in %j is %j', (text, name) => expect(modelNameIn(text)).toBe(name));

import type { EntryCost } from './entry.ts';
import type { VendorType } from './vendors.ts';

interface Starter {
  /** As the vendor names it. */
  readonly target: string;
  readonly use: 'picture' | 'edit' | 'upscale' | 'background' | 'video';
  readonly cost: EntryCost;
}

const VIDEO_COST = { credits: { '720p': 6, '1080p': 10 }, parameter: 'resolution', per: 'second' } as const;

/**
 * Models to begin with: one for each use, where docs/models.example.yaml has one. Names, and costs for the default settings,
 * are from there.
 */
export const STARTERS: Readonly<Record<VendorType, readonly Starter[]>> = {
  replicate: [
    { target: 'black-forest-labs/flux-2-flex', use: 'picture', cost: 6 },
    { target: 'philz1337x/clarity-upscaler', use: 'upscale', cost: 6 },
    { target: 'lucataco/remove-bg', use: 'background', cost: 1 },
  ],
  fal: [
    { target: 'fal-ai/nano-banana-2/edit', use: 'edit', cost: 8 },
    { target: 'wan/v2.6/image-to-video', use: 'video', cost: VIDEO_COST },
  ],
  openai: [{ target: 'gpt-image-2', use: 'picture', cost: 10 }],
  comfyui: [],
};

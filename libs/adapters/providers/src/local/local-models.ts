import type { Model, Parameter } from '#generation';
import { IMAGE_SIZES, VIDEO_SIZES, type SizeRules } from './output-size.ts';
import { PROMPT_GUIDE } from './prompt.ts';

export const PROVIDER_ID = 'local';

const seed: Parameter = {
  type: 'integer',
  description: 'Same inputs and seed, same output. Without it every generation gets its own.',
  minimum: 0,
  maximum: 2_147_483_647,
};

function side(name: string, rules: SizeRules): Parameter {
  return {
    type: 'integer',
    description: `${name} in pixels. Without it the shape of the input image decides.`,
    minimum: rules.smallest,
    maximum: rules.largest,
  };
}

export const LOCAL_IMAGE: Model = {
  id: 'local-image',
  kind: 'image',
  provider: PROVIDER_ID,
  description:
    "Paints on this server's processor; no neural network. With an input image: its content in the colours, tones " +
    'and surface of the style reference. Without one: an invented scene in those colours. The prompt is searched ' +
    `for words such as these: technique (${PROMPT_GUIDE.technique}), mood (${PROMPT_GUIDE.mood}) and, without an ` +
    `input image, subject (${PROMPT_GUIDE.subject}). All else in it only varies the result, as the seed does.`,
  cost: 4,
  inputs: { image: 'optional', styleReference: 'optional' },
  parameters: {
    seed,
    width: side('Width', IMAGE_SIZES),
    height: side('Height', IMAGE_SIZES),
    count: {
      type: 'integer',
      description: 'How many variations; each has the seed after that of the one before.',
      minimum: 1,
      maximum: 4,
      default: 1,
    },
    strength: {
      type: 'number',
      description: 'How far the result goes from its input: 0 leaves it as it is, 1 redraws it fully.',
      minimum: 0,
      maximum: 1,
      default: 0.75,
    },
  },
};

export const LOCAL_VIDEO: Model = {
  id: 'local-video',
  kind: 'video',
  provider: PROVIDER_ID,
  description:
    "Films the input image on this server's processor; no neural network. Starts exactly at that image; then the " +
    'camera moves with depth, light and air stir, and the colours turn to those of the style reference. The prompt ' +
    `is searched for words such as these: air (${PROMPT_GUIDE.atmosphere}), camera (${PROMPT_GUIDE.camera}), mood ` +
    `(${PROMPT_GUIDE.mood}). All else in it only varies the result, as the seed does.`,
  cost: 20,
  inputs: { image: 'required', styleReference: 'optional' },
  parameters: {
    seed,
    width: side('Width', VIDEO_SIZES),
    height: side('Height', VIDEO_SIZES),
    duration: { type: 'number', description: 'Seconds.', minimum: 2, maximum: 8, default: 4 },
    fps: { type: 'integer', description: 'Frames a second.', minimum: 12, maximum: 30, default: 24 },
    strength: {
      type: 'number',
      description: 'How much moves and how far the colours turn.',
      minimum: 0,
      maximum: 1,
      default: 0.6,
    },
  },
};

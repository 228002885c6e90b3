import { LASTING, type Model, type Parameter } from '#catalogue';
import { IMAGE_SIZES, VIDEO_SIZES, type SizeRules } from './output-size.ts';
import { PROMPT_GUIDE } from './prompt.ts';

export const PROVIDER_ID = 'local';

const seed: Parameter = {
  type: 'integer',
  description: 'The same inputs and seed give the same output. By default every generation has its own seed.',
  minimum: 0,
  maximum: 2_147_483_647,
};

function side(name: string, { smallest, largest }: SizeRules): Parameter {
  const description = `${name} in pixels. By default it follows from the shape of the input image.`;
  return { type: 'integer', description, minimum: smallest, maximum: largest };
}

function strength(description: string, byDefault: number): Parameter {
  return { type: 'number', description, minimum: 0, maximum: 1, default: byDefault };
}

const COUNT: Parameter = {
  type: 'integer',
  description: 'Variations; each has the next seed.',
  minimum: 1,
  maximum: 4,
  default: 1,
};

/** Maximum regions of a picture. */
export const MAX_REGIONS = 12;

const INPUTS = {
  style: 'optional',
  references: 'none',
  maxReferences: 6,
  mask: 'none',
  control: 'none',
  styleWeights: 'optional',
  pictures: 'none',
  minPictures: 1,
  maxPictures: 20,
} as const;
/** Far more than the largest video takes on a busy machine. */
const LOCAL = {
  provider: PROVIDER_ID,
  revision: null,
  family: PROVIDER_ID,
  workflow: null,
  mapping: {},
  result: null,
  timeLimitSeconds: 900,
  ...LASTING,
} as const;

export const LOCAL_IMAGE: Model = {
  ...LOCAL,
  id: 'local-image',
  title: 'Painter',
  kind: 'image',
  tasks: ['generate', 'vary'],
  target: 'local-image',
  description:
    "Paints on this server's processor, without a neural network. With an input image: its content in the colours, " +
    'tones and surface of the trained style or of the style reference. Without one: an invented landscape in those ' +
    'colours. The prompt is ' +
    `searched for words such as these: technique (${PROMPT_GUIDE.technique}) and mood (${PROMPT_GUIDE.mood}). ` +
    'Everything else in it varies the result like the seed.',
  cost: { credits: 4, parameter: null, per: 'output' },
  inputs: { ...INPUTS, image: 'optional' },
  parameters: {
    seed,
    width: side('Width', IMAGE_SIZES),
    height: side('Height', IMAGE_SIZES),
    count: COUNT,
    strength: strength('How much the result differs from its input: 0 keeps it, 1 redraws it fully.', 0.75),
  },
};

export const LOCAL_VIDEO: Model = {
  ...LOCAL,
  id: 'local-video',
  title: 'Camera',
  kind: 'video',
  tasks: ['animate'],
  target: 'local-video',
  description:
    "Films the input image on this server's processor, without a neural network. Starts exactly at that image; then " +
    'the camera moves slowly, the light changes, and the colours turn to those of the style reference. The prompt is ' +
    `searched for words such as these: camera (${PROMPT_GUIDE.camera}) and mood (${PROMPT_GUIDE.mood}). Everything ` +
    'else in it varies the result like the seed.',
  cost: { credits: 20, parameter: null, per: 'output' },
  inputs: { ...INPUTS, image: 'required' },
  parameters: {
    seed,
    width: side('Width', VIDEO_SIZES),
    height: side('Height', VIDEO_SIZES),
    duration: { type: 'number', description: 'Seconds.', minimum: 2, maximum: 8, default: 4 },
    fps: { type: 'integer', description: 'Frames per second.', minimum: 12, maximum: 30, default: 24 },
    strength: strength('How far the camera moves and the colours change.', 0.6),
  },
};

export const LOCAL_STYLE: Model = {
  ...LOCAL,
  id: 'local-style',
  title: 'Palette',
  kind: 'style',
  tasks: [],
  target: 'local-style',
  description:
    "Learns the colours, the surface and the technique of pictures on this server's processor, without a neural " +
    'network, in seconds. The local models then paint and film with them.',
  cost: { credits: 10, parameter: null, per: 'output' },
  inputs: {
    ...INPUTS,
    image: 'none',
    style: 'none',
    styleWeights: 'none',
    pictures: 'required',
    minPictures: 3,
    maxPictures: 20,
  },
  parameters: {},
};

export const LOCAL_EDIT: Model = {
  ...LOCAL,
  id: 'local-edit',
  title: 'Retoucher',
  kind: 'image',
  tasks: ['inpaint', 'outpaint'],
  target: 'local-edit',
  description:
    "Paints into the white area of the mask on this server's processor, without a neural network: an invented " +
    'landscape in the colours and the surface of the picture, or of the style. All else stays, pixel by pixel. The ' +
    `prompt is searched for words such as these: technique (${PROMPT_GUIDE.technique}) and mood ` +
    `(${PROMPT_GUIDE.mood}). Everything else in it varies the result like the seed.`,
  cost: { credits: 4, parameter: null, per: 'output' },
  inputs: { ...INPUTS, image: 'required', mask: 'required' },
  parameters: { seed, count: COUNT },
};

export const LOCAL_MASK: Model = {
  ...LOCAL,
  id: 'local-mask',
  title: 'Regions',
  kind: 'mask',
  tasks: [],
  family: null,
  target: 'local-mask',
  description:
    "Finds the regions of a picture by their colours on this server's processor, without a neural network. Each is a " +
    'mask with a label such as "dark blue, top".',
  cost: { credits: 1, parameter: null, per: 'output' },
  inputs: { ...INPUTS, style: 'none', styleWeights: 'none', image: 'required' },
  parameters: {
    regions: { type: 'integer', description: 'Regions at most.', minimum: 1, maximum: MAX_REGIONS, default: 6 },
  },
};

/** All models of the local provider. */
export const LOCAL_MODELS: readonly Model[] = [LOCAL_IMAGE, LOCAL_VIDEO, LOCAL_STYLE, LOCAL_EDIT, LOCAL_MASK];

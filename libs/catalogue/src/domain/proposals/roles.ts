import type { InputName } from '../mapping.ts';
import { RESERVED_FIELDS, type Parameter } from '../model.ts';
import type { LeftOutReason, Role, VendorField } from './proposal.ts';

/** Names of pictures, without `_url`, `_urls` and `_uri`. */
const PICTURES: Readonly<Record<InputName, readonly string[]>> = {
  image: [
    ...['image', 'images', 'img', 'imgs', 'picture', 'photo', 'image_file', 'main_image', 'base_image'],
    ...['input_image', 'input_images', 'image_input', 'init_image', 'source_image', 'original_image', 'redux_image'],
    // The start frame of a video.
    ...['start_image', 'start_frame', 'first_frame', 'first_image', 'first_frame_image', 'start_frame_image'],
  ],
  style: [
    'style_image',
    'style_images',
    'style_reference',
    'style_reference_image',
    'style_reference_images',
    'ip_image',
  ],
  references: ['reference_images', 'references', 'ref_images', 'extra_images', 'additional_images', 'image_references'],
  mask: ['mask', 'mask_image', 'image_mask', 'mask_img', 'inpaint_mask'],
  control: ['control_image', 'control_img', 'controlnet_image', 'canny_control_image', 'depth_control_image'],
  pictures: [],
};

/** Fields that callers are not offered, by their name. The first reason counts. */
const NOT_OFFERED: readonly (readonly [LeftOutReason, RegExp, 'files' | 'texts' | 'any'])[] = [
  ['secret', /(^|_)(api_?key|key|token|secret|password)$/, 'texts'],
  ['weights', /(^|_)loras?(_|$)/, 'any'],
  ['weights', /(^|_)(weights|checkpoint|safetensors|embeddings?|huggingface_id)(_|$)/, 'texts'],
  ['transport', /^(webhook\w*|sync|sync_mode|archive_outputs|return_zip|user|user_id)$/, 'any'],
  ['safety', /safety|nsfw|moderation/, 'any'],
  ['multiplies', /^(max_images|(num_|number_of_)?images_per_\w+)$/, 'any'],
  ['end_frame', /^(end|last|tail)_(image|frame|frame_image|image_frame)$/, 'files'],
  [
    'file',
    /(^|_)(audios?|videos?|voice|song|speech|speaker|music|sound|zip|archive|mesh|model|font|file|files|data)$/,
    'files',
  ],
];

const PROMPTS = ['prompt', 'text_prompt', 'positive_prompt', 'edit_prompt', 'instruction', 'instructions', 'text'];

/** Names of parameters that mean the same everywhere, by the name that this service gives them. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  negative_prompt: ['n_prompt', 'neg_prompt', 'negative'],
  seed: ['noise_seed', 'random_seed', 'rand_seed'],
  count: ['num_outputs', 'num_images', 'number_of_images', 'number_of_outputs', 'num_samples', 'batch_size', 'n'],
  duration: ['duration_seconds', 'video_duration', 'seconds'],
  aspect_ratio: ['ratio', 'aspectratio'],
  width: ['image_width', 'output_width'],
  height: ['image_height', 'output_height'],
};
const CANONICAL = new Map(Object.entries(SAME).flatMap(([name, others]) => others.map((other) => [other, name])));
/** Only numbers may have these names: costs are counted by them, and seeds are drawn. */
const NUMERIC: readonly string[] = ['count', 'duration', 'seed'];

/** The role of a field by its name. A picture whose name is unknown is a question. */
export function roleOf({ role, name, files, declaration }: VendorField): Role {
  if (role) return role;
  const key = keyOf(name).replace(/_(urls?|uris?)$/, '');
  const input = files && Object.entries(PICTURES).find(([, names]) => names.includes(key))?.[0];
  if (input) return input as InputName;
  const isText = declaration?.type === 'string' || declaration?.type === 'array' || !declaration;
  const reason = NOT_OFFERED.find(
    ([, names, takes]) => names.test(key) && (takes === 'any' || (takes === 'files' ? files : isText)),
  );
  if (reason) return reason[0];
  if (files) return 'ask';
  return declaration ? 'parameter' : 'structure';
}

/** The fields that may be the prompt, best first. */
export function promptsIn(fields: readonly VendorField[]): readonly VendorField[] {
  const rank = ({ name }: VendorField) => PROMPTS.indexOf(keyOf(name));
  const isText = ({ files, declaration }: VendorField) =>
    !files && declaration?.type === 'string' && declaration.enum === undefined;
  return fields
    .filter((field) => field.role === 'prompt' || (!field.role && rank(field) >= 0 && isText(field)))
    .toSorted((one, other) => rank(one) - rank(other));
}

/** The name that callers send a parameter by. */
export function parameterName(name: string, { type, enum: choices }: Parameter): string {
  const key = keyOf(name)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 80);
  const same = CANONICAL.get(key) ?? key;
  const isNumeric = (type === 'integer' || type === 'number') && choices?.some((each) => each === 0) !== true;
  if (NUMERIC.includes(same) && !isNumeric) return `${key}_option`;
  return RESERVED_FIELDS.includes(same) || same === '' ? `${key}_option`.replace(/^_/, '') : same;
}

/** `inputImage-URL` as `input_image_url`. */
function keyOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/** Task of a model whose name says that it makes something greater, or adds to its edges. */
export function taskOfName(name: string): 'upscale' | 'outpaint' | null {
  const key = keyOf(name);
  if (
    /^(scale|scale_factor|upscale|upscale_by|(upscal(e|ing)|upsample|resize|target)_(factor|scale|resolution)|upsample_scale)$/.test(
      key,
    )
  ) {
    return 'upscale';
  }
  return /^((expand|extend|outpaint|pad)_(left|right|top|bottom|up|down)|outpaint)$/.test(key) ? 'outpaint' : null;
}

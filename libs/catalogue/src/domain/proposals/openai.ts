import type { JsonValue } from '../json.ts';
import type { Parameter } from '../model.ts';
import { proposeEntry } from './propose.ts';
import { refused, type Proposal, type ProposalOptions, type VendorField } from './proposal.ts';
import { plainText } from './text.ts';

const GPT_SIZES = ['auto', '1024x1024', '1536x1024', '1024x1536'];
const PROMPT = value('prompt', { type: 'string' }, true);
const COUNT = value('n', { type: 'integer', minimum: 1, maximum: 10, default: 1 });
const IMAGES = picture('image', 16);
/** The transparent area is edited: https://platform.openai.com/docs/api-reference/images/createEdit */
const MASK = { ...picture('mask'), mask: 'transparent_mask' };

/** Fields of image models, by their names: from the types of OpenAI's SDK 7.57. The first row that fits decides. */
const MODELS: readonly (readonly [RegExp, readonly VendorField[]])[] = [
  [/^gpt-image-2\.[5-9]/, gpt(['auto', 'low', 'medium', 'high', 'xhigh', 'max'])],
  [/^(gpt-image|chatgpt-image)/, gpt(['auto', 'low', 'medium', 'high'])],
  [
    /^dall-e-3/,
    [
      PROMPT,
      choice('size', ['1024x1024', '1792x1024', '1024x1792']),
      choice('quality', ['standard', 'hd']),
      choice('style', ['vivid', 'natural']),
    ],
  ],
  [/^dall-e-2/, [PROMPT, picture('image'), MASK, COUNT, choice('size', ['1024x1024', '512x512', '256x256'])]],
];

/** Fields of every server with this API. A question decides whether it edits pictures. */
const UNKNOWN: readonly VendorField[] = [PROMPT, { ...picture('image'), role: 'ask' }];

/**
 * Proposes an entry for an image model of a server with OpenAI's API. The API has no schemas: a table says what known
 * models take. A model with another name gets its prompt, and a question about its picture.
 *
 * @param model its id in the response of `/v1/models`
 * @throws DomainError `validation_failed` on `target` for an empty name, or that of a model which makes no pictures; on
 *   `answers.…` for an answer that is no choice
 */
export function proposeOpenai(model: string, options: ProposalOptions): Proposal {
  const target = plainText(model, 200);
  if (target === null) throw refused('must be the name of a model');
  if (/^(gpt-[0-9]|o[0-9]|text-|tts-|whisper|omni-)/i.test(target) && !/image/i.test(target)) {
    throw refused(`makes no pictures: ${target}`);
  }
  const fields = MODELS.find(([names]) => names.test(target))?.[1] ?? UNKNOWN;
  const known = { name: target, target, title: null, description: null, workflow: null };
  return proposeEntry({ ...known, fields, kind: 'image' }, options);
}

function gpt(qualities: readonly string[]): readonly VendorField[] {
  return [
    PROMPT,
    IMAGES,
    MASK,
    COUNT,
    choice('size', GPT_SIZES),
    choice('quality', qualities),
    choice('background', ['auto', 'transparent', 'opaque']),
    choice('output_format', ['png', 'jpeg', 'webp']),
  ];
}

/** The first choice is the vendor's default. */
function choice(name: string, choices: readonly string[]): VendorField {
  return value(name, { type: 'string', enum: choices, default: choices[0] as JsonValue });
}

function value(name: string, declaration: Parameter, isRequired = false): VendorField {
  return { path: name, name, description: null, isRequired, files: null, declaration };
}

function picture(name: string, atMost?: number): VendorField {
  const files = atMost === undefined ? 'one' : { atMost };
  return { path: name, name, description: null, isRequired: false, files, declaration: null };
}

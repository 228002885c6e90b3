import {
  COST_UNITS,
  MODEL_KINDS,
  NEEDS,
  TASKS,
  type Cost,
  type JsonObject,
  type Model,
  type INPUT_NAMES,
  type ModelInputs,
  type Need,
  type StyleResult,
} from '#catalogue';

/** Ids end up in URLs, in metrics and in the requests of callers. */
const ID = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$';
const VARIABLE = '^[A-Z][A-Z0-9_]{0,99}$';
/** Names that callers send already may have the slashes of vendors. */
const ALIAS = '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$';
const TIME = '^20[0-9]{2}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,3})?)?Z)?$';
const PARAMETER = '^[A-Za-z][A-Za-z0-9_]{0,99}$';

/** The error message of each pattern, which follows the name of a field. */
export const PATTERN_MEANINGS: Readonly<Record<string, string>> = {
  [ID]: 'must be 1 to 100 letters, digits, dots, _ or -',
  [VARIABLE]: 'must be the name of an environment variable that holds the key, not the key itself',
  [ALIAS]: 'must be 1 to 100 letters, digits, dots, _, -, : or /',
  [TIME]: 'must be a date or a time in UTC, such as 2026-10-23 or 2026-10-23T17:00:00Z',
  [PARAMETER]: 'must have a name of letters, digits and _',
};

const need = (description: string) => ({ description, enum: NEEDS });
const credits = { type: 'number', minimum: 0, maximum: 1_000_000 } as const;

const url = { type: 'string', maxLength: 2048 } as const;

const provider = {
  type: 'object',
  required: ['id', 'type'],
  additionalProperties: false,
  properties: {
    id: { description: 'The id that models refer to.', type: 'string', pattern: ID },
    type: { description: 'The kind of vendor: `replicate`, `fal`, `openai` or `comfyui`.', type: 'string' },
    base_url: { description: "URL of its API; by default the vendor's own.", ...url },
    base_urls: {
      description: 'For ComfyUI, instead of base_url: the URLs of several servers with the same nodes and files.',
      type: 'array',
      minItems: 1,
      maxItems: 32,
      uniqueItems: true,
      items: url,
    },
    key: { description: 'Name of the environment variable that holds its key.', type: 'string', pattern: VARIABLE },
    max_concurrent: {
      description:
        'Maximum concurrent calls to the vendor from one worker (default 4); one workspace gets half, rounded up.',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
    },
    submissions_per_minute: {
      description: 'Maximum submissions per minute from all workers together; no limit by default.',
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
    },
  },
} as const;

const pictureCount = { type: 'integer', minimum: 1, maximum: 100 } as const;

const inputs = {
  description: 'Whether each input is required, optional or not accepted (the default).',
  type: 'object',
  additionalProperties: false,
  properties: {
    image: need('The input image; for a video model its start frame.'),
    style: need('The style reference.'),
    references: need('Further references: `extra_image_1` to `extra_image_6`, or else slots 2 to 6 of the persona.'),
    max_references: { description: 'Maximum number of references.', type: 'integer', minimum: 1, maximum: 6 },
    mask: need('The mask, `mask_image`.'),
    control: need('The control image, `control_image`.'),
    style_weights: need('A trained style of the family: `style_id`, or else the active style of the persona.'),
    pictures: need('The pictures that a style is trained on; a model of the kind `style` requires them.'),
    min_pictures: { description: 'Minimum number of pictures (default 1).', ...pictureCount },
    max_pictures: { description: 'Maximum number of pictures (default 20).', ...pictureCount },
  },
} as const;

const parameter = {
  description: 'JSON Schema (2020-12) of the field.',
  type: 'object',
  required: ['type'],
  properties: {
    type: { enum: ['integer', 'number', 'string', 'boolean', 'object', 'array'] },
    description: { type: 'string' },
  },
  allOf: [{ $ref: 'https://json-schema.org/draft/2020-12/schema' }],
} as const;

const cost = {
  description: 'Credits per output, or how they are computed.',
  ...credits,
  type: ['number', 'object'],
  required: ['credits'],
  additionalProperties: false,
  properties: {
    credits: {
      description: 'One amount, or an amount for each value of `parameter`.',
      ...credits,
      type: ['number', 'object'],
      minProperties: 1,
      additionalProperties: credits,
    },
    parameter: { description: 'The parameter whose value decides the amount.', type: 'string' },
    per: {
      description:
        '`output` (default) multiplies the credits by the parameter `count`, `second` by the parameter `duration`.',
      enum: COST_UNITS,
    },
  },
} as const;

const path = { type: 'string', minLength: 1, maxLength: 200 } as const;

const model = {
  type: 'object',
  required: ['id', 'provider', 'target', 'cost'],
  additionalProperties: false,
  properties: {
    id: { description: 'The id that callers send.', type: 'string', pattern: ID },
    title: { type: 'string', minLength: 1, maxLength: 200 },
    description: { type: 'string', maxLength: 5000 },
    kind: { description: 'The type of the output.', enum: MODEL_KINDS },
    tasks: {
      description: 'What one-click actions offer the model for.',
      type: 'array',
      uniqueItems: true,
      items: { enum: TASKS },
    },
    family: { description: 'The family of trained styles that fit the model.', type: 'string', pattern: ID },
    provider: { description: 'A provider of this file or of the environment, or `local`.', type: 'string' },
    target: {
      description: "The vendor's model, version or endpoint; for ComfyUI a workflow file (API format) beside this one.",
      type: 'string',
      minLength: 1,
      maxLength: 500,
    },
    workflow: {
      description: 'For ComfyUI: the workflow in API format, instead of a file.',
      type: 'object',
      minProperties: 1,
      maxProperties: 1000,
      additionalProperties: {
        type: 'object',
        required: ['class_type', 'inputs'],
        properties: { class_type: { type: 'string' }, inputs: { type: 'object' } },
      },
    },
    inputs,
    parameters: {
      description: 'Further fields that callers may send.',
      type: 'object',
      propertyNames: { pattern: PARAMETER },
      additionalProperties: { $ref: '#/$defs/parameter' },
    },
    mapping: {
      description: "The vendor's fields by path, with {prompt}, the inputs that the model takes, and parameters.",
      type: 'object',
    },
    result: {
      description: "For the kind `style`: the path of the field in the vendor's result with what was trained.",
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false,
      properties: {
        weights: { description: 'The field with the URL of the weights.', ...path },
        reference: { description: "The field with the vendor's own reference.", ...path },
      },
    },
    cost: { $ref: '#/$defs/cost' },
    time_limit: {
      description: 'Seconds after which a generation fails (default 600).',
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
    },
    retires_at: {
      description: 'When the model ends, UTC; a date begins at midnight. From then on the successor takes its calls.',
      type: 'string',
      pattern: TIME,
    },
    successor: {
      description:
        'The id of the model of the same kind that takes its calls once it has ended; it may be added later.',
      type: 'string',
      pattern: ID,
    },
    aliases: {
      description: 'Further names that callers may send, unique over all ids and aliases.',
      type: 'array',
      maxItems: 50,
      uniqueItems: true,
      items: { type: 'string', pattern: ALIAS },
    },
  },
  // The inputs and parameters of a local model are built in.
  if: { required: ['provider'], properties: { provider: { const: 'local' } } },
  then: { properties: { workflow: false, inputs: false, parameters: false, mapping: false, result: false } },
  else: { required: ['kind', 'mapping'] },
} as const;

/** JSON Schema of a catalogue, published as docs/models.schema.json. Keys that start with `x-` are for YAML anchors. */
export const CATALOGUE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Catalogue of models',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    providers: { type: 'array', items: { $ref: '#/$defs/provider' } },
    models: { type: 'array', items: { $ref: '#/$defs/model' } },
  },
  patternProperties: { '^x-': true },
  $defs: { provider, model, parameter, cost },
} as const;

/** Entries of the file after validation. */
export interface ProviderEntry {
  readonly id: string;
  readonly type: string;
  readonly base_url?: string;
  readonly base_urls?: readonly string[];
  readonly key?: string;
  readonly max_concurrent?: number;
  readonly submissions_per_minute?: number;
}

export interface ModelEntry extends Partial<Pick<Model, 'title' | 'kind' | 'tasks' | 'parameters' | 'mapping'>> {
  readonly result?: StyleResult;
  readonly description?: string;
  readonly family?: string;
  readonly id: string;
  readonly provider: string;
  readonly target: string;
  readonly workflow?: JsonObject;
  readonly inputs?: InputsEntry;
  readonly cost: CostEntry;
  readonly time_limit?: number;
  readonly retires_at?: string;
  readonly successor?: string;
  readonly aliases?: readonly string[];
}

export type InputsEntry = Partial<Pick<ModelInputs, (typeof INPUT_NAMES)[number]>> & {
  readonly max_references?: number;
  readonly style_weights?: Need;
  readonly min_pictures?: number;
  readonly max_pictures?: number;
};

export type CostEntry = number | (Pick<Cost, 'credits'> & Partial<Omit<Cost, 'credits'>>);

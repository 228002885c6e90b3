import type { JsonObject, JsonValue } from './json.ts';
import { INPUT_NAMES, MASK_NAMES, STYLE_NAMES, type Mapping } from './mapping.ts';

/** A model of the kind `style` trains a style of a persona; all others make files. */
export const MODEL_KINDS = ['image', 'video', 'vector', 'model3d', 'mask', 'style'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** Tasks that one-click actions offer a model for. */
export const TASKS = ['generate', 'inpaint', 'outpaint', 'upscale', 'remove_background', 'vary', 'animate'] as const;
export type Task = (typeof TASKS)[number];

/** The JSON Schema (2020-12) of one parameter. */
export interface Parameter {
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'object' | 'array';
  readonly description?: string;
  readonly default?: JsonValue;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly enum?: readonly JsonValue[];
  readonly [keyword: string]: JsonValue | undefined;
}

export const NEEDS = ['required', 'optional', 'none'] as const;
export type Need = (typeof NEEDS)[number];

/** Which inputs a model takes. */
export interface ModelInputs {
  /** The input image; for a video model its start frame. */
  readonly image: Need;
  readonly style: Need;
  /** Further style references, at most `maxReferences` (1 to 6). */
  readonly references: Need;
  readonly maxReferences: number;
  readonly mask: Need;
  readonly control: Need;
  /** A trained style of the model's family. */
  readonly styleWeights: Need;
  /** The pictures that a style is trained on: `minPictures` to `maxPictures`. Only a model of the kind `style` takes them. */
  readonly pictures: Need;
  readonly minPictures: number;
  readonly maxPictures: number;
}

/** The field of the vendor's result, a path with dots, that has the URL of trained weights or a reference to them. */
export type StyleResult = { readonly weights: string } | { readonly reference: string };

export const COST_UNITS = ['output', 'second'] as const;

/** The price of a call in credits. */
export interface Cost {
  /** One amount, or one for each value (as text) of `parameter`. */
  readonly credits: number | Readonly<Record<string, number>>;
  readonly parameter: string | null;
  /** Multiplied by the parameter `count`, or by the seconds of the parameter `duration`, if the model has it. */
  readonly per: (typeof COST_UNITS)[number];
}

/** A model that callers may name: an entry of the catalogue. */
export interface Model {
  /** The value of the request's `model`. */
  readonly id: string;
  /** Counts the changes that operators made to the entry; `null` for a local model and for a model of the file. */
  readonly revision: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly kind: ModelKind;
  readonly tasks: readonly Task[];
  /** Trained styles of the same family fit the model. */
  readonly family: string | null;
  /** The id of its provider. */
  readonly provider: string;
  /** The vendor's model, version or endpoint. */
  readonly target: string;
  /** For ComfyUI: the workflow in API format. */
  readonly workflow: JsonObject | null;
  readonly inputs: ModelInputs;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** How prompt, inputs and parameters become the vendor's fields. */
  readonly mapping: Mapping;
  /** For a remote model of the kind `style`; else `null`. */
  readonly result: StyleResult | null;
  readonly cost: Cost;
  /** A generation times out after this. */
  readonly timeLimitSeconds: number;
  /** From then on its successor takes its calls; `null` for a model without a known end. */
  readonly retiresAt: Date | null;
  /** The id of the model that takes its calls; it may not be in the catalogue yet. */
  readonly successor: string | null;
  /** Further names, unique over all ids and aliases. */
  readonly aliases: readonly string[];
}

/** The life of a model that has no end and no other name. */
export const LASTING = { retiresAt: null, successor: null, aliases: [] } as const satisfies Partial<Model>;

/** Fields of every request and names in mappings. A parameter can't have one of these names. */
export const RESERVED_FIELDS: readonly string[] = [
  ...INPUT_NAMES,
  ...STYLE_NAMES,
  ...Object.keys(MASK_NAMES),
  'model',
  'name',
  'pid',
  'style_transfer',
  'style_id',
  'mask_image',
  'control_image',
  ...[1, 2, 3, 4, 5, 6].map((position) => `extra_image_${position}`),
  'prompt',
  'parent',
  'preset_id',
  'variables',
  'webhook',
  'dry_run',
  'processing_url',
];

/** The entry of the catalogue that a generation was accepted with. */
export interface ModelReference {
  readonly model: string;
  /** `null` for a local model and for a model of the file. */
  readonly modelRevision: number | null;
}

/** The catalogue of models. Operators may change it at any time. `resolveModel` finds a model by its name. */
export interface Models {
  /** The models that callers may name, also those that have retired. */
  readonly all: readonly Model[];

  /** The ids of the models that their vendors no longer have, and since when. */
  readonly gone: ReadonlyMap<string, Date>;

  /** The entry that a generation was accepted with; `null` when it is no longer stored. */
  acceptedAs(reference: ModelReference): Promise<Model | null>;
}

/** A catalogue that does not change. */
export class ModelCatalog implements Models {
  /**
   * @param isAvailable whether a model can run now: a local model may not be supported on this machine
   * @throws Error when two models share an id, or one declares a parameter that is a field of every request
   */
  constructor(
    readonly entries: readonly Model[],
    private readonly isAvailable: (model: Model) => boolean = () => true,
    readonly gone: ReadonlyMap<string, Date> = new Map(),
  ) {
    const ids = new Set(entries.map(({ id }) => id));
    if (ids.size < entries.length) throw new Error('two models have the same id');
    for (const model of entries) {
      const taken = RESERVED_FIELDS.find((field) => Object.hasOwn(model.parameters, field));
      if (taken) throw new Error(`model ${model.id} declares ${taken}, a field of every request`);
    }
  }

  get all(): readonly Model[] {
    return this.entries.filter((model) => this.isAvailable(model));
  }

  acceptedAs({ model, modelRevision }: ModelReference): Promise<Model | null> {
    const found = this.entries.find(({ id, revision }) => id === model && revision === modelRevision);
    return Promise.resolve(found ?? null);
  }
}

import { invalidField } from '#kernel';

export type ModelKind = 'image' | 'video';

export type ParameterValue = string | number | boolean;

/** A parameter that a model declares; the caller's value is validated against it. */
export type Parameter =
  | {
      readonly type: 'integer' | 'number';
      readonly description: string;
      readonly minimum: number;
      readonly maximum: number;
      readonly default?: number;
    }
  | {
      readonly type: 'string';
      readonly description: string;
      readonly maxLength: number;
      readonly enum?: readonly string[];
      readonly default?: string;
    }
  | { readonly type: 'boolean'; readonly description: string; readonly default?: boolean };

/** A model as its provider offers it. */
export interface Model {
  /** The value of the request's `model`. */
  readonly id: string;
  readonly kind: ModelKind;
  readonly provider: string;
  readonly description: string;
  /** Credits for one output; a call costs this times `count`. */
  readonly cost: number;
  readonly inputs: {
    readonly image: 'required' | 'optional' | 'none';
    readonly styleReference: 'required' | 'optional' | 'none';
  };
  readonly parameters: Readonly<Record<string, Parameter>>;
}

/** Fields of every request; no model may declare a parameter of the same name. */
const REQUEST_FIELDS = ['model', 'pid', 'style_transfer', 'image', 'prompt', 'webhook', 'dry_run', 'processing_url'];

/** The models of all providers, by id. */
export class ModelCatalog {
  readonly all: readonly Model[];
  readonly #byId: ReadonlyMap<string, Model>;

  /** @throws Error when two models share an id, or one declares a parameter that is a field of every request */
  constructor(models: readonly Model[]) {
    this.all = models;
    this.#byId = new Map(models.map((model) => [model.id, model]));
    if (this.#byId.size < models.length) throw new Error('two models have the same id');
    for (const model of models) {
      const taken = REQUEST_FIELDS.find((field) => Object.hasOwn(model.parameters, field));
      if (taken) throw new Error(`model ${model.id} declares ${taken}, a field of every request`);
    }
  }

  /** @throws DomainError `validation_failed` on `model`, naming the known models */
  get(id: string): Model {
    const model = this.#byId.get(id);
    if (!model) throw invalidField('model', `must be one of ${this.all.map((known) => known.id).join(', ')}`);
    return model;
  }
}

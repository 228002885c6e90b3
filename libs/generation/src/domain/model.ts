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

/** The models that all providers offer now. */
export class ModelCatalog {
  /** @throws Error when two models share an id, or one declares a parameter that is a field of every request */
  constructor(private readonly providers: readonly { readonly models: readonly Model[] }[]) {
    const ids = new Set(this.all.map(({ id }) => id));
    if (ids.size < this.all.length) throw new Error('two models have the same id');
    for (const model of this.all) {
      const taken = REQUEST_FIELDS.find((field) => Object.hasOwn(model.parameters, field));
      if (taken) throw new Error(`model ${model.id} declares ${taken}, a field of every request`);
    }
  }

  get all(): readonly Model[] {
    return this.providers.flatMap(({ models }) => models);
  }

  /** @throws DomainError `validation_failed` on `model`, naming the known models */
  get(id: string): Model {
    const model = this.all.find((known) => known.id === id);
    if (!model) throw invalidField('model', `must be one of ${this.all.map((known) => known.id).join(', ')}`);
    return model;
  }
}

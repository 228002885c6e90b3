import { invalidField } from '#kernel';
import type { Model } from './model.ts';

/** Fields of the request that mean the same for every model, so that none can declare them as its own. */
const REQUEST_FIELDS = ['model', 'pid', 'style_transfer', 'image', 'prompt', 'webhook', 'dry_run'];

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

  find(id: string): Model | null {
    return this.#byId.get(id) ?? null;
  }

  /** @throws DomainError `validation_failed` on `model`, naming the models there are */
  get(id: string): Model {
    const model = this.find(id);
    if (!model) throw invalidField('model', `must be one of ${this.all.map((known) => known.id).join(', ')}`);
    return model;
  }
}

import { parametersSchema, type Model, type ModelKind } from '#generation';
import { ChoiceField, IntegerField, JsonField, ListField, ObjectField, TextField } from '../http/index.ts';

const NEEDS = ['required', 'optional', 'none'] as const;

export class ModelInputsView {
  @ChoiceField(NEEDS, {
    description: 'Whether it takes an input image; for video models that is the start frame.',
    example: 'optional',
  })
  image!: (typeof NEEDS)[number];

  @ChoiceField(NEEDS, { description: 'Whether it takes a style reference.', example: 'optional' })
  style_reference!: (typeof NEEDS)[number];
}

export class ModelView {
  @TextField({ description: '`model` in requests.', example: 'local-image' })
  id!: string;

  @ChoiceField(['image', 'video'], { description: 'What it makes.', example: 'image' })
  kind!: ModelKind;

  @TextField({ description: 'Who runs it.', example: 'local' })
  provider!: string;

  @TextField({ description: 'What it does.', example: 'Restyles a picture.' })
  description!: string;

  @IntegerField({ description: 'Credits for each output.', example: 4, min: 0 })
  cost!: number;

  @ObjectField(() => ModelInputsView, { description: 'The pictures that it takes.' })
  inputs!: ModelInputsView;

  @JsonField({
    description: 'JSON Schema of the fields that a request for it may have besides the common ones.',
    example: { type: 'object', properties: { seed: { type: 'integer', minimum: 0 } } },
  })
  parameters!: object;
}

export class ModelsAnswer {
  @ListField(() => ModelView, { description: 'All generators.' })
  models!: ModelView[];
}

export function modelsAnswer(models: readonly Model[]): ModelsAnswer {
  return {
    models: models.map((model) => ({
      id: model.id,
      kind: model.kind,
      provider: model.provider,
      description: model.description,
      cost: model.cost,
      inputs: { image: model.inputs.image, style_reference: model.inputs.styleReference },
      parameters: parametersSchema(model),
    })),
  };
}

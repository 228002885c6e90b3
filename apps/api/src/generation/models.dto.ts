import {
  COST_UNITS,
  MODEL_KINDS,
  NEEDS,
  parametersSchema,
  TASKS,
  type Cost,
  type Model,
  type ModelKind,
  type Need,
  type Task,
} from '#catalogue';
import {
  ChoiceField,
  IntegerField,
  JsonField,
  ListField,
  NumberOrNumbersField,
  ObjectField,
  TextField,
  TimeField,
} from '../http/index.ts';

export class ModelInputsDto {
  @ChoiceField(NEEDS, 'Whether it takes `image`; for video models that is the start frame.', { example: 'optional' })
  image!: Need;

  @ChoiceField(NEEDS, 'Whether it takes a style reference.', { example: 'optional' }) style!: Need;

  @ChoiceField(NEEDS, 'Whether it takes further references: `extra_image_1` to `extra_image_6`.', { example: 'none' })
  references!: Need;

  @IntegerField('How many further references it takes.', { example: 0, min: 0, max: 6 }) max_references!: number;
  @ChoiceField(NEEDS, 'Whether it takes `mask_image`.', { example: 'none' }) mask!: Need;
  @ChoiceField(NEEDS, 'Whether it takes `control_image`.', { example: 'none' }) control!: Need;
  @ChoiceField(NEEDS, 'Whether it takes `style_id`, a trained style.', { example: 'optional' }) style_weights!: Need;

  @ChoiceField(NEEDS, 'Whether it takes `pictures` of a persona, to train a style on.', { example: 'none' })
  pictures!: Need;

  @IntegerField('How many pictures it needs.', { example: 0, min: 0 }) min_pictures!: number;
  @IntegerField('How many pictures it takes.', { example: 0, min: 0 }) max_pictures!: number;
}

export class ModelDto {
  @TextField('`model` in requests.', { example: 'local-image' }) id!: string;
  @TextField('Its name for people.', { example: 'Painter' }) title!: string;
  @TextField('What it does; null if the catalogue does not say.', { example: 'Restyles a picture.', nullable: true })
  description!: string | null;

  @ChoiceField(MODEL_KINDS, 'Kind of output.', { example: 'image' }) kind!: ModelKind;
  @ListField(() => String, 'What it is offered for: any of `' + TASKS.join('`, `') + '`.', { example: ['generate'] })
  tasks!: readonly Task[];

  @TextField('Trained styles of the same family fit the model; null if none do.', { example: null, nullable: true })
  family!: string | null;

  @TextField('The provider that runs it.', { example: 'local' }) provider!: string;

  @NumberOrNumbersField('Credits; with `cost_parameter` an object with the credits for each of its values.', {
    example: 4,
  })
  cost!: number | Readonly<Record<string, number>>;

  @TextField('The parameter whose value decides the cost.', { example: null, nullable: true })
  cost_parameter!: string | null;

  @ChoiceField(COST_UNITS, 'Whether `cost` is for each output (`count`) or each second (`duration`).', {
    example: 'output',
  })
  cost_per!: Cost['per'];

  @ObjectField(() => ModelInputsDto, 'The pictures that it takes.') inputs!: ModelInputsDto;

  @JsonField(
    'JSON Schema of the request fields that this model adds to the common fields. A `deprecated` field is accepted ' +
      'and has no effect.',
    { example: { type: 'object', properties: { seed: { type: 'integer', minimum: 0 } } } },
  )
  parameters!: object;

  @TimeField('When it ends: from then on `successor` takes its calls.', { nullable: true }) retires_at!: Date | null;
  @TextField('The model that takes its calls once it has ended.', { example: 'flux-dev', nullable: true })
  successor!: string | null;
  @ListField(() => String, 'Further names that `model` in requests may have.', { example: ['gpt-image-1'] })
  aliases!: readonly string[];
}

export class ModelsResponse {
  @ListField(() => ModelDto, 'The models that can be used now.') models!: ModelDto[];
}

export function modelsResponse(models: readonly Model[]): ModelsResponse {
  return { models: models.map(modelDto) };
}

export function modelDto(model: Model): ModelDto {
  const { id, title, description, kind, tasks, family, provider, cost, retiresAt, successor, aliases } = model;
  const { maxReferences, styleWeights, minPictures, maxPictures, ...needs } = model.inputs;
  const trains = needs.pictures !== 'none';
  return {
    id,
    title,
    description,
    kind,
    tasks,
    family,
    provider,
    cost: cost.credits,
    cost_parameter: cost.parameter,
    cost_per: cost.per,
    inputs: {
      ...needs,
      max_references: needs.references === 'none' ? 0 : maxReferences,
      style_weights: styleWeights,
      min_pictures: trains ? minPictures : 0,
      max_pictures: trains ? maxPictures : 0,
    },
    parameters: parametersSchema(model),
    retires_at: retiresAt,
    successor,
    aliases,
  };
}

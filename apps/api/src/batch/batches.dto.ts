import {
  axesOf,
  batchSummary,
  BATCH_STATES,
  cellsOf,
  MAX_CELLS,
  readMatrix,
  readRows,
  type AcceptedBatch,
  type BatchCall,
  type BatchState,
  type BatchView,
  type CellFields,
  type CellView,
} from '#batch';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { FileUrls } from '#files';
import { GENERATION_STATES, type GenerationState } from '#generation';
import { invalidField } from '#kernel';
import { generateCall } from '../generation/generate-call.ts';
import { GenerateRequest, GenerationResponse, generationResponse, OutputDto } from '../generation/generation.dto.ts';
import {
  BooleanField,
  ChoiceField,
  CustomDataDto,
  customDataOf,
  CustomDataRequest,
  CustomerFilter,
  IdsField,
  IndexesField,
  IntegerField,
  JsonField,
  ListField,
  ObjectField,
  PageResponse,
  readFields,
  RowsField,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';

const MATRIX = {
  models: ['local-image'],
  prompts: ['a {animal} in the snow'],
  variables: { animal: ['fox', 'hare'] },
  seeds_count: 4,
};

const listOf = (description: string, items: object) => {
  return { type: 'array', description, minItems: 1, maxItems: MAX_CELLS, items };
};
const listsOf = (description: string, items: object) => {
  return {
    type: 'object',
    description,
    additionalProperties: { type: 'array', minItems: 1, maxItems: MAX_CELLS, items },
  };
};
const ID = { type: 'integer', minimum: 1 };

/** `readMatrix` reads it. */
const MATRIX_SCHEMA: ApiPropertyOptions = {
  // Beside `type`, `required` would be that of the field.
  allOf: [
    {
      type: 'object',
      required: ['models'],
      properties: {
        models: listOf('Ids of models.', { type: 'string' }),
        prompts: listOf('Prompts, in which `{name}` stands for a value of `variables`.', { type: 'string' }),
        variables: listsOf('Values by the name of a variable.', { anyOf: [{ type: 'string' }, { type: 'number' }] }),
        personas: listOf('Ids of personas.', ID),
        styles: listOf('Ids of trained styles, or values of `style_transfer`.', { anyOf: [ID, { type: 'string' }] }),
        parameters: listsOf('Values by the name of a further field.', {}),
        seeds: listOf('Seeds.', { type: 'integer' }),
        seeds_count: {
          type: 'integer',
          description: 'This many random seeds instead.',
          minimum: 1,
          maximum: MAX_CELLS,
        },
      },
    },
  ],
};

export class BatchRequest extends CustomDataRequest {
  @TextField('A name for people.', { example: 'Animals', max: 100 }) name!: string;

  @RowsField(
    () => GenerateRequest,
    'The calls of `POST /v2/generate`, one for each cell, with the fields that their models declare. Either `rows` or ' +
      '`matrix`.',
    { max: MAX_CELLS, required: false },
  )
  rows?: readonly object[];

  @JsonField(
    'Lists of values: a cell is made for each combination. `models` (required), `prompts`, in which `{name}` stands for a ' +
      'value of `variables`, `variables` {name: [values]}, `personas` (ids), `styles` (ids of trained styles, or values of ' +
      '`style_transfer`), `parameters` {name: [values]}, and `seeds` or `seeds_count`.',
    { example: MATRIX, schema: MATRIX_SCHEMA, required: false },
  )
  matrix?: object;

  @UrlField('Called once the batch has ended. Its host must be public, its port 80 or 443.', {
    example: 'https://example.com/hooks/x12',
    required: false,
    nullable: true,
  })
  webhook?: string | null;

  @BooleanField('True to compute only the cells and their costs.', { example: false, required: false, nullable: true })
  dry_run?: boolean | null;
}

/** @param firstSeed the first of `seeds_count` seeds */
export function batchCall(body: BatchRequest, firstSeed: number): BatchCall {
  const { name, rows, matrix, webhook, dry_run } = body;
  if ((rows === undefined) === (matrix === undefined)) throw invalidField('rows', 'or matrix is required, not both');
  return {
    name,
    webhook: webhook ?? null,
    ...customDataOf(body),
    content: rows === undefined ? { matrix: readMatrix(matrix, firstSeed) } : { rows: readRows(rows) },
    dryRun: dry_run ?? false,
    toCall: (fields: CellFields) => generateCall(readFields(GenerateRequest, fields), fields),
  };
}

export class RetryRequest {
  @IdsField('Only these cells, by their numbers. Default: all failed cells.', {
    example: [3],
    max: MAX_CELLS,
    required: false,
  })
  cells?: readonly number[];
}

export class CellCountsDto {
  @IntegerField('All cells.', { example: 8, min: 1 }) total!: number;
  @IntegerField('Cells that wait, also those that a pause holds.', { example: 3, min: 0 }) queued!: number;
  @IntegerField('Cells that are being generated.', { example: 2, min: 0 }) running!: number;
  @IntegerField('Cells with outputs.', { example: 2, min: 0 }) succeeded!: number;
  @IntegerField('Cells that can be retried.', { example: 1, min: 0 }) failed!: number;
  @IntegerField('Canceled cells.', { example: 0, min: 0 }) canceled!: number;
}

export class AxisDto {
  @TextField('A field of the calls, or a variable in its braces.', { example: '{animal}' }) name!: string;

  @ListField(() => String, 'Its values, in their order; their JSON text where they are no texts.', {
    example: ['fox', 'hare'],
  })
  values!: readonly string[];
}

/** A batch. */
export class BatchDto extends CustomDataDto {
  @IntegerField('Identifier.', { example: 3 }) id!: number;
  @TextField('Its name.', { example: 'Animals' }) name!: string;

  @ChoiceField(
    BATCH_STATES,
    '`paused`: cells that have not started wait. `canceling`: open cells are being canceled. `ended`: no cell is open.',
    { example: 'running' },
  )
  state!: BatchState;

  @ObjectField(() => CellCountsDto, 'The cells by state.') cells!: CellCountsDto;
  @IntegerField('Credits reserved for all cells when they were accepted.', { example: 32, min: 0 }) cost!: number;
  @IntegerField('Credits charged for succeeded cells.', { example: 8, min: 0 }) used!: number;
  @IntegerField('Identifier of the user who requested it.', { example: 7 }) user_id!: number;

  @ListField(() => AxisDto, 'The lists of its matrix, whose indexes are the places of cells; empty for rows.')
  axes!: AxisDto[];

  @TimeField('When it was requested.') created_at!: Date;
  @TimeField('When its last cell ended.', { nullable: true }) ended_at!: Date | null;
}

export function batchDto(batch: BatchView): BatchDto {
  const axes = batch.matrix ? axesOf(batch.matrix) : [];
  return {
    id: batch.id,
    ...batchSummary(batch),
    user_id: batch.userId,
    axes: axes.map(({ name, values }) => ({
      name,
      values: values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    })),
  };
}

export class BatchResponse {
  @ObjectField(() => BatchDto, 'The batch.') batch!: BatchDto;
}

export class BatchDryRunResponse {
  @BooleanField('Always true: nothing was run or charged.', { example: true }) dry_run!: true;
  @IntegerField('The number of cells.', { example: 8, min: 1 }) cells!: number;
  @ListField(() => Number, 'Credits for each cell, in the order of the cells.', { example: [4, 4] }) costs!: number[];
  @IntegerField('Credits for all cells.', { example: 32, min: 0 }) cost!: number;
}

export function dryRunResponse({ costs, cost }: AcceptedBatch): BatchDryRunResponse {
  return { dry_run: true, cells: costs.length, costs: [...costs], cost };
}

export class BatchesResponse extends PageResponse {
  @ListField(() => BatchDto, 'Batches of the workspace, newest first.') batches!: BatchDto[];
}

export class BatchesQuery {
  @CustomerFilter() customer?: string;
}

export class CellsQuery {
  @ChoiceField(GENERATION_STATES, 'Only cells in this state.', { example: 'failed', required: false })
  state?: GenerationState;
}

export class CellDto {
  @IntegerField('Its row, or its place in the order of the matrix, from 1.', { example: 1, min: 1 }) cell!: number;

  @IndexesField('For each axis the index of its value, from 0; null for a variable that its prompt does not use.', {
    example: [0, 0, 1, 3],
  })
  place!: readonly (number | null)[];

  @ObjectField(() => GenerationResponse, 'Its generation.') generation!: GenerationResponse;
  @ObjectField(() => OutputDto, 'Its first output; null until it has succeeded.', { nullable: true })
  output!: OutputDto | null;
}

export class BatchCellsResponse extends PageResponse {
  @ObjectField(() => BatchDto, 'The batch.') batch!: BatchDto;
  @ListField(() => CellDto, 'A page of its cells, in their order.') cells!: CellDto[];
}

export function cellDtos({ matrix }: Pick<BatchView, 'matrix'>, cells: readonly CellView[], urls: FileUrls): CellDto[] {
  const places = matrix && cells.length > 0 ? cellsOf({ matrix }).map(({ place }) => place) : [];
  return cells.map(({ cell, generation: view }) => {
    const generation = generationResponse(view, urls);
    return { cell, place: places[cell - 1] ?? [], generation, output: generation.outputs[0] ?? null };
  });
}

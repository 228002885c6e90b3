import { sql, type InferResult } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { inputSetOf, placesOf, type GenerationRequest, type InputSource, type Placed } from '#generation';
import { CUSTOM_DATA } from '#kernel';
import { build } from '../prepared.ts';
import { fieldsOf } from '../shapes.ts';

export const REQUEST = [
  'workspaceId',
  'userId',
  'personaId',
  'model',
  'modelRevision',
  'requestedModel',
  'kind',
  'prompt',
  'parameters',
  'imageUrl',
  'imageKey',
  'imageFileId',
  'styleUrl',
  'styleKey',
  'styleFileId',
  'styleId',
  'parentId',
  'parentOutput',
  'batchId',
  'cell',
  'webhook',
  'cost',
  'createdAt',
  ...CUSTOM_DATA,
] as const;

export const GENERATION = fieldsOf('generations', ['id', 'state', 'attempt', 'startedAt', 'progress', ...REQUEST]);

/** Selects the inputs that have no columns in `generations`, in the order of lists. */
export function furtherInputsOf(generationId: 'generations.id' | 'changed.id') {
  const ofGeneration = build
    .selectFrom('generation_inputs as i')
    .select(['i.input', 'i.position', 'i.url', 'i.key', 'i.file_id as fileId'])
    .where('i.generation_id', '=', sql.ref<number>(generationId))
    .orderBy('i.position');
  return jsonArrayFrom(ofGeneration).as('furtherInputs');
}

/** Selects the trained style that a generation uses or trains. */
export function trainedStyleOf(styleId: 'generations.style_id' | 'changed.styleId') {
  const style = build.selectFrom('styles').select(['id', 'name', 'trigger']).where('id', '=', sql.ref<number>(styleId));
  return jsonObjectFrom(style).as('style');
}

/** Generations with all their inputs. */
export const selectGenerations = build
  .selectFrom('generations')
  .select(GENERATION)
  .select([furtherInputsOf('generations.id'), trainedStyleOf('generations.style_id')]);

export type GenerationRow = InferResult<typeof selectGenerations>[number];
export type RequestRow = Pick<GenerationRow, (typeof REQUEST)[number]>;
export type FurtherInput = GenerationRow['furtherInputs'][number];

/** The file of the trained style that a generation uses is one of its inputs. */
const STYLE_WEIGHTS = 'style_weights';

export function toRequest(row: RequestRow & Pick<GenerationRow, 'furtherInputs' | 'style'>): GenerationRequest {
  const { workspaceId, userId, personaId, model, modelRevision, kind, prompt, parameters, webhook, cost } = row;
  const image = { key: row.imageKey, url: row.imageUrl, fileId: row.imageFileId };
  const style = { key: row.styleKey, url: row.styleUrl, fileId: row.styleFileId };
  const weights = row.furtherInputs.find(({ input }) => input === STYLE_WEIGHTS);
  const trainedStyle = row.style && {
    ...row.style,
    weights: weights ? { key: weights.key!, fileId: weights.fileId } : null,
  };
  const further = inputSetOf(row.furtherInputs.filter((input) => input !== weights).map(toPlaced));
  const inputs = { ...further, image: toSource(image), style: toSource(style) };
  const { createdAt, parentId, parentOutput, batchId, cell, customer, metadata } = row;
  const parent = parentId === null ? null : { generationId: parentId, output: parentOutput! };
  const batch = batchId === null ? null : { batchId, cell };
  const requestedModel = row.requestedModel ?? model;
  const named = { model, modelRevision, requestedModel };
  const accepted = { workspaceId, userId, personaId, ...named, kind, prompt, parameters, inputs };
  return { ...accepted, trainedStyle, parent, batch, webhook, customer, metadata, cost, createdAt };
}

function toPlaced({ input, position, ...source }: FurtherInput): Placed<InputSource> {
  return { input: input as Placed<InputSource>['input'], position, picture: toSource(source)! };
}

function toSource({ key, url, fileId }: Pick<FurtherInput, 'key' | 'url' | 'fileId'>): InputSource | null {
  if (key !== null) return { key, fileId };
  return url === null ? null : { url, fileId: null };
}

const NO_SOURCE = { key: null, url: null, fileId: null };

/** The columns of a request, and its inputs without columns in `generations`. */
export function fromRequest(request: GenerationRequest) {
  const { image, style, ...further } = request.inputs;
  const [imageRow, styleRow] = [
    { ...NO_SOURCE, ...image },
    { ...NO_SOURCE, ...style },
  ];
  const row: RequestRow = {
    ...request,
    requestedModel: request.requestedModel === request.model ? null : request.requestedModel,
    imageUrl: imageRow.url,
    imageKey: imageRow.key,
    imageFileId: imageRow.fileId,
    styleUrl: styleRow.url,
    styleKey: styleRow.key,
    styleFileId: styleRow.fileId,
    styleId: request.trainedStyle?.id ?? null,
    parentId: request.parent?.generationId ?? null,
    parentOutput: request.parent?.output ?? null,
    batchId: request.batch?.batchId ?? null,
    cell: request.batch?.cell ?? null,
  };
  const places = placesOf({ ...further, image: null, style: null });
  const pictures = places.map(({ picture, ...place }) => ({ ...place, ...NO_SOURCE, ...picture }));
  const weights = request.trainedStyle?.weights;
  const trained = weights ? [{ input: STYLE_WEIGHTS, position: 1, ...NO_SOURCE, ...weights }] : [];
  return { row, furtherInputs: [...pictures, ...trained] as FurtherInput[] };
}

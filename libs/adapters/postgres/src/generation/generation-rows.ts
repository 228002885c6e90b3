import { sql, type InferResult } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { inputSetOf, placesOf, type GenerationRequest, type InputSource } from '#generation';
import { build } from '../prepared.ts';
import { fieldsOf } from '../shapes.ts';

export const REQUEST = [
  'workspaceId',
  'userId',
  'personaId',
  'model',
  'kind',
  'prompt',
  'parameters',
  'imageUrl',
  'imageKey',
  'imageFileId',
  'styleUrl',
  'styleKey',
  'styleFileId',
  'webhook',
  'cost',
  'createdAt',
] as const;

export const GENERATION = fieldsOf('generations', ['id', 'state', 'attempt', 'startedAt', 'progress', ...REQUEST]);

/** Selects the inputs that have no columns in `generations`, in the order of references. */
export function furtherInputsOf(generationId: 'generations.id' | 'changed.id') {
  const ofGeneration = build
    .selectFrom('generation_inputs as i')
    .select(['i.input', 'i.position', 'i.url', 'i.key', 'i.file_id as fileId'])
    .where('i.generation_id', '=', sql.ref<number>(generationId))
    .orderBy('i.position');
  return jsonArrayFrom(ofGeneration).as('furtherInputs');
}

/** Generations with all their inputs. */
export const selectGenerations = build
  .selectFrom('generations')
  .select(GENERATION)
  .select(furtherInputsOf('generations.id'));

export type GenerationRow = InferResult<typeof selectGenerations>[number];
export type RequestRow = Pick<GenerationRow, (typeof REQUEST)[number]>;
export type FurtherInput = GenerationRow['furtherInputs'][number];

export function toRequest(row: RequestRow & { readonly furtherInputs: readonly FurtherInput[] }): GenerationRequest {
  const { workspaceId, userId, personaId, model, kind, prompt, parameters, webhook, cost, createdAt } = row;
  const image = { key: row.imageKey, url: row.imageUrl, fileId: row.imageFileId };
  const style = { key: row.styleKey, url: row.styleUrl, fileId: row.styleFileId };
  const further = inputSetOf(row.furtherInputs.map((input) => ({ ...input, picture: toSource(input)! })));
  const inputs = { ...further, image: toSource(image), style: toSource(style) };
  return { workspaceId, userId, personaId, model, kind, prompt, parameters, inputs, webhook, cost, createdAt };
}

function toSource({ key, url, fileId }: Pick<FurtherInput, 'key' | 'url' | 'fileId'>): InputSource | null {
  if (key !== null) return { key, fileId };
  return url === null ? null : { url, fileId: null };
}

const NO_SOURCE = { key: null, url: null, fileId: null };

/** The columns of a request, and its inputs that have no columns in `generations`. */
export function fromRequest(request: GenerationRequest) {
  const { image, style, ...further } = request.inputs;
  const [imageRow, styleRow] = [
    { ...NO_SOURCE, ...image },
    { ...NO_SOURCE, ...style },
  ];
  const row: RequestRow = {
    ...request,
    imageUrl: imageRow.url,
    imageKey: imageRow.key,
    imageFileId: imageRow.fileId,
    styleUrl: styleRow.url,
    styleKey: styleRow.key,
    styleFileId: styleRow.fileId,
  };
  const places = placesOf({ ...further, image: null, style: null });
  const furtherInputs = places.map(({ picture, ...place }) => ({ ...place, ...NO_SOURCE, ...picture }));
  return { row, furtherInputs: furtherInputs as FurtherInput[] };
}

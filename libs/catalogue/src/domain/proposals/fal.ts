import type { ModelKind } from '../model.ts';
import { proposeEntry } from './propose.ts';
import { refused, type Proposal, type ProposalOptions } from './proposal.ts';
import { asObject, fieldOf, listOf, MAX_DESCRIPTION, SchemaReader } from './schema.ts';
import { ofStyled, ofTrainer, trainedBy } from './styles.ts';
import { plainText } from './text.ts';

/** Where fal's models return their files. The first field that the output has decides. */
const OUTPUTS: readonly (readonly [string, ModelKind])[] = [
  ...(['model_glb', 'model_mesh', 'glb'] as const).map((field) => [field, 'model3d'] as const),
  ...(['video', 'videos'] as const).map((field) => [field, 'video'] as const),
  ...(['svg'] as const).map((field) => [field, 'vector'] as const),
  ...(['individual_masks', 'masks'] as const).map((field) => [field, 'mask'] as const),
  ...(['images', 'image'] as const).map((field) => [field, 'image'] as const),
];
const JSON_TYPE = ['content', 'application/json', 'schema'];

export interface FalOptions extends ProposalOptions {
  /** The endpoint's id, such as `fal-ai/flux/dev`; by default the document's. */
  readonly endpoint?: string;
  /** The title and description of the platform's API. */
  readonly title?: string;
  readonly description?: string;
}

/**
 * Proposes an entry for an endpoint of fal.
 *
 * @param document the OpenAPI document of `https://fal.ai/api/openapi/queue/openapi.json?endpoint_id=…`: its one POST
 *   names the input's schema, and the GET of `…/requests/{request_id}` the output's
 * @throws DomainError `validation_failed` on `target` for an endpoint that makes no pictures, videos or 3D models,
 *   requires what callers can't send, or has too large a schema; on `answers.…` for an answer that is no choice
 */
export function proposeFal(document: unknown, options: FalOptions): Proposal {
  const paths = Object.entries(asObject(fieldOf(document, 'paths'))).slice(0, 50);
  const submit = paths.find(([path, item]) => !path.includes('/requests/') && fieldOf(item, 'post'));
  const result = paths.find(([path, item]) => path.endsWith('/requests/{request_id}') && fieldOf(item, 'get'));
  const metadata = fieldOf(document, 'info', 'x-fal-metadata');
  const endpoint = plainText(options.endpoint ?? fieldOf(metadata, 'endpointId') ?? submit?.[0].slice(1), 300);
  if (!submit || !endpoint) throw refused('must be an endpoint of fal that shows its schema');
  const reader = new SchemaReader(document);
  const input = fieldOf(submit[1], 'post', 'requestBody', ...JSON_TYPE);
  const order = listOf(fieldOf(dereferenced(document, input), 'x-fal-order-properties'));
  const places = new Map(order.map((name, place) => [name, place]));
  const read = reader.fields(input, (name) => places.get(name) ?? Infinity);
  const output = reader.read(fieldOf(result?.[1], 'get', 'responses', '200', ...JSON_TYPE));
  const outputs = Object.keys(asObject(output.properties));
  const trained = trainedBy(outputs);
  const properties = reader.read(input).properties;
  const fields = read.map((field) =>
    trained ? ofTrainer(field) : ofStyled(field, fieldOf(properties, field.name), reader),
  );
  return proposeEntry(
    {
      name: endpoint.replace(/^fal-ai\//, ''),
      title: plainText(options.title, 100),
      description: plainText(options.description, MAX_DESCRIPTION),
      target: endpoint,
      fields,
      kind: trained ? 'style' : kindOf(endpoint, outputs, fieldOf(metadata, 'category')),
      result: trained,
      workflow: null,
    },
    options,
  );
}

function dereferenced(document: unknown, schema: unknown): unknown {
  const name = String(fieldOf(schema, '$ref') ?? '').replace('#/components/schemas/', '');
  return fieldOf(document, 'components', 'schemas', name);
}

/** By the fields of the output, else by fal's category. `null` when they don't decide. */
function kindOf(endpoint: string, outputs: readonly string[], category: unknown): ModelKind | null {
  const kind = OUTPUTS.find(([field]) => outputs.includes(field))?.[1];
  // SVG files come in fields of pictures.
  if (kind === 'image' && /vector|svg/i.test(endpoint)) return null;
  if (kind) return kind;
  const target = /-to-(image|video|3d)$/.exec(String(category))?.[1];
  if (target) return target === '3d' ? 'model3d' : (target as ModelKind);
  const isUnsuitable = outputs.some((field) => /^(audio|audio_\w+|text|output_text)$/.test(field));
  if (isUnsuitable || /audio|speech|text$|llm|training|json/.test(String(category))) {
    throw refused(`makes no pictures, videos or 3D models: ${endpoint}`);
  }
  return null;
}

import type { ModelKind } from '../model.ts';
import { proposeEntry } from './propose.ts';
import { refused, type Proposal, type ProposalOptions } from './proposal.ts';
import { asObject, fieldOf, isNumber, listOf, MAX_DESCRIPTION, SchemaReader, type Schema } from './schema.ts';
import { plainText } from './text.ts';

const EXTENSIONS: Readonly<Record<ModelKind, readonly string[]>> = {
  model3d: ['glb'],
  video: ['mp4', 'webm'],
  vector: ['svg'],
  image: ['png', 'jpg', 'jpeg', 'webp', 'gif'],
  mask: [],
  style: [],
};
const SOUNDS = ['wav', 'mp3', 'flac', 'ogg', 'm4a'];

/**
 * Proposes an entry for a model of Replicate.
 *
 * @param model the JSON of `GET /v1/models/{owner}/{name}`: `owner`, `name`, `description`, `is_official`,
 *   `default_example`, and the schemas `Input` and `Output` in `latest_version.openapi_schema`
 * @throws DomainError `validation_failed` on `target` for a model that makes no pictures, videos or 3D models, requires
 *   what callers can't send, or has too large a schema; on `answers.…` for an answer that is no choice
 */
export function proposeReplicate(model: unknown, options: ProposalOptions): Proposal {
  const [owner, name] = ['owner', 'name'].map((part) => plainText(fieldOf(model, part), 100));
  const version = fieldOf(model, 'latest_version');
  const document = fieldOf(version, 'openapi_schema');
  if (!owner || !name || !document) throw refused('must be a public model of Replicate that shows its schema');
  const reader = new SchemaReader(document);
  const input = fieldOf(document, 'components', 'schemas', 'Input');
  const fields = reader.fields(input, (_, property) => {
    const order = fieldOf(property, 'x-order');
    return isNumber(order) ? order : Infinity;
  });
  const formats = fields.find((field) => field.name === 'output_format')?.declaration?.enum ?? [];
  const made = filesIn(reader, reader.read(fieldOf(document, 'components', 'schemas', 'Output')));
  const examples = extensionsIn(fieldOf(model, 'default_example', 'output'));
  const extensions = examples.length > 0 ? examples : formats.map(String);
  if (made === 'text') throw refused(`makes texts: ${owner}/${name}`);
  if (extensions.length > 0 && extensions.every((each) => SOUNDS.includes(each))) {
    throw refused(`makes sounds: ${owner}/${name}`);
  }
  const kinds = Object.entries(EXTENSIONS).filter(([, known]) => extensions.some((each) => known.includes(each)));
  const id = plainText(fieldOf(version, 'id'), 100);
  // Only official models run without a version.
  const isPinned = fieldOf(model, 'is_official') !== true && id !== null;
  return proposeEntry(
    {
      name,
      title: null,
      description: plainText(fieldOf(model, 'description'), MAX_DESCRIPTION),
      target: `${owner}/${name}${isPinned ? `:${id}` : ''}`,
      fields,
      // 3D models also come with pictures and videos.
      kind: (kinds[0]?.[0] as ModelKind | undefined) ?? null,
      workflow: null,
    },
    options,
  );
}

/** Kind of the output: files, certainly text, or unknown. */
function filesIn(reader: SchemaReader, output: Schema, depth = 0): 'files' | 'text' | 'unknown' {
  if (output.format === 'uri') return 'files';
  if (output.type === 'string') return 'text';
  if (depth > 3) return 'unknown';
  const inner = output.type === 'array' ? [output.items] : Object.values(asObject(output.properties));
  const found = inner.slice(0, 50).map((each) => filesIn(reader, reader.read(each), depth + 1));
  if (found.includes('files')) return 'files';
  return found.length > 0 && found.every((each) => each === 'text') ? 'text' : 'unknown';
}

function extensionsIn(output: unknown, depth = 0): readonly string[] {
  if (typeof output === 'string') {
    const extension = /\.([a-z0-9]{2,5})$/i.exec(URL.parse(output.slice(0, 2_000))?.pathname ?? '')?.[1];
    return extension === undefined ? [] : [extension.toLowerCase()];
  }
  if (depth > 3) return [];
  const inner = Array.isArray(output) ? listOf(output) : Object.values(asObject(output));
  return inner.slice(0, 50).flatMap((each) => extensionsIn(each, depth + 1));
}

import type { ModelKind } from '../model.ts';
import type { JsonObject } from '../json.ts';
import { INPUT_NAMES, isFieldPath, type InputName } from '../mapping.ts';
import { proposeEntry } from './propose.ts';
import { refused, type Proposal, type ProposalOptions, type Role, type VendorField } from './proposal.ts';
import { asObject, declarationOf, fieldOf, isObject, MAX_DESCRIPTION, MAX_FIELDS, type Schema } from './schema.ts';
import { plainText } from './text.ts';

/** Nodes that save, by the kind of their files. Animated WebP files are pictures here. */
const SAVES: readonly (readonly [ModelKind | 'sound', RegExp])[] = [
  ['sound', /^(Save|Preview)Audio/],
  ['model3d', /^(SaveGLB|Preview3D|Save3D)/],
  ['video', /^(SaveVideo|SaveWEBM|VHS_VideoCombine)/],
  ['vector', /^SaveSVG/],
  ['image', /^(Save|Image Save|.*SaveImage)/],
];
const MAX_INPUTS = 3_000;
const PREVIEW = /^PreviewImage/;

/** Inputs that pictures are, by the nodes that they lead to. */
const LEADS_TO: readonly (readonly [InputName, RegExp])[] = [
  ['control', /ControlNet|Preprocessor|T2IAdapter|Canny|OpenPose/],
  ['style', /IPAdapter|StyleModel|CLIPVisionEncode|unCLIP|PuLID|InstantID|PhotoMaker/i],
  ['image', /VAEEncode|ToVideo|Upscale|Rembg|RemoveBackground|PadForOutpaint|ImageEdit|Inpaint|Kontext/i],
];

/** Inputs of nodes with the text of a prompt. */
const TEXTS = ['text', 'prompt', 'text_g', 'text_l', 'clip_l', 't5xxl', 'positive_prompt', 'string', 'value'];
/** Inputs that are offered to callers; all others stay as they are in the workflow. */
const OFFERED = ['steps', 'cfg', 'guidance', 'fps', 'frame_rate', 'strength', 'scale_by'];
/** Offered inputs that may be fractions, where `/object_info` is not given. */
const FRACTIONS = ['cfg', 'guidance', 'strength', 'scale_by', 'denoise'];
const SEEDS = ['seed', 'noise_seed'];
const SIZES = ['width', 'height', 'length', 'batch_size'];
const MAKES_SIZE = /^Empty|ToVideo|LatentVideo/;
const PADS = ['left', 'top', 'right', 'bottom'];

export interface ComfyuiOptions extends ProposalOptions {
  /** The basis of id and title, such as the workflow's file name. */
  readonly name: string;
  /** The JSON of `/object_info`, at least of the workflow's nodes: types, limits and choices. */
  readonly objectInfo?: unknown;
}

interface Node {
  readonly id: string;
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/**
 * Proposes an entry for a workflow of ComfyUI. Its target is a file name: the workflow itself is in the proposal.
 *
 * @param workflow in API format: `{ "6": { "class_type": …, "inputs": … } }`
 * @throws DomainError `validation_failed` on `target` for a workflow in another format, too large or without a node that
 *   saves pictures, videos or 3D models; on `answers.…` for an answer that is no choice
 */
export function proposeComfyui(workflow: unknown, options: ComfyuiOptions): Proposal {
  const graph = new Graph(nodesOf(workflow));
  const name = plainText(options.name, 100) ?? 'workflow';
  const fields = fieldsOf(graph, options.objectInfo);
  return proposeEntry(
    {
      name,
      title: null,
      description: null,
      target: `${name.replace(/[^\w.-]+/g, '-')}.json`.replace(/(\.json)+$/, '.json'),
      fields,
      kind: kindOf(graph, options.objectInfo),
      workflow: workflow as JsonObject,
      isUnsure: graph.nodes.some(
        ({ type, id }) =>
          // Moving pictures, and masks that are the transparent part of a picture.
          type.startsWith('SaveAnimated') || (type === 'LoadImage' && graph.usesOf(id, 1).length > 0),
      ),
    },
    options,
  );
}

function nodesOf(workflow: unknown): readonly Node[] {
  const entries = Object.entries(asObject(workflow));
  if (entries.length > MAX_FIELDS) throw refused(`has ${entries.length} nodes; at most ${MAX_FIELDS} can be read`);
  const nodes = entries.map(([id, node]) => ({
    id,
    type: fieldOf(node, 'class_type'),
    inputs: fieldOf(node, 'inputs'),
  }));
  const isNode = (node: (typeof nodes)[number]): node is Node => typeof node.type === 'string' && isObject(node.inputs);
  if (nodes.length === 0 || !nodes.every(isNode)) {
    throw refused('must be a workflow in API format: use Export (API) in ComfyUI');
  }
  const count = nodes.reduce((sum, { inputs }) => sum + Object.keys(inputs).length, 0);
  if (count > MAX_INPUTS) throw refused(`has ${count} inputs of nodes; at most ${MAX_INPUTS} can be read`);
  return nodes;
}

/** The nodes of a workflow and their links. It may have cycles. */
class Graph {
  readonly #byId: ReadonlyMap<string, Node>;
  readonly #uses = new Map<string, (readonly [node: Node, input: string])[]>();

  constructor(readonly nodes: readonly Node[]) {
    this.#byId = new Map(nodes.map((node) => [node.id, node]));
    for (const node of nodes) {
      for (const [input, value] of Object.entries(node.inputs)) {
        if (!isLink(value)) continue;
        const key = value.join(' ');
        this.#uses.set(key, [...(this.#uses.get(key) ?? []), [node, input]]);
      }
    }
  }

  /** The nodes, with their inputs, that use an output of a node. */
  usesOf(id: string, output: number): readonly (readonly [node: Node, input: string])[] {
    return this.#uses.get(`${id} ${output}`) ?? [];
  }

  /** The inputs `node.inputs.text` that hold the texts which lead to a link. */
  textsBefore(link: unknown): readonly string[] {
    const found: string[] = [];
    const seen = new Set<string>();
    const next = [link];
    for (let value = next.pop(); value !== undefined; value = next.pop()) {
      const node = isLink(value) && !seen.has(value[0]) ? this.#byId.get(value[0]) : undefined;
      if (!node) continue;
      seen.add(node.id);
      const texts = TEXTS.filter((name) => typeof fieldOf(node.inputs, name) === 'string');
      found.push(...texts.map((name) => `${node.id}.inputs.${name}`));
      const linked = TEXTS.map((name) => fieldOf(node.inputs, name)).filter(isLink);
      // The links of a node with its own text lead to models, not to prompts.
      if (texts.length === 0) next.push(...(linked.length > 0 ? linked : Object.values(node.inputs).filter(isLink)));
    }
    return found;
  }

  /** Reports whether a node loads a mask from the transparency of a picture: ComfyUI changes what is transparent. */
  isByTransparency({ id, type, inputs }: Node): boolean {
    if (type === 'LoadImageMask') return fieldOf(inputs, 'channel') === 'alpha';
    return this.usesOf(id, 0).length === 0 && this.usesOf(id, 1).length > 0;
  }

  /** Role of a loaded picture; `ask` when its uses differ or are unknown. */
  roleOfPicture({ id, type }: Node, isOnly: boolean): Role {
    if (type === 'LoadImageMask' || (this.usesOf(id, 0).length === 0 && this.usesOf(id, 1).length > 0)) return 'mask';
    const roles = new Set<InputName>();
    const seen = new Set<string>();
    const next = [...this.usesOf(id, 0)];
    for (let use = next.pop(); use; use = next.pop()) {
      const [node, input] = use;
      if (seen.has(node.id)) continue;
      seen.add(node.id);
      const known = input === 'mask' ? 'mask' : LEADS_TO.find(([, types]) => types.test(node.type))?.[0];
      if (known) roles.add(known);
      else next.push(...this.usesOf(node.id, 0));
    }
    if (roles.has('image')) return 'image';
    if (roles.size === 1) return [...roles][0]!;
    return roles.size === 0 && isOnly ? 'image' : 'ask';
  }
}

function isLink(value: unknown): value is readonly [string, number] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number';
}

function fieldsOf(graph: Graph, info: unknown): readonly VendorField[] {
  const { nodes } = graph;
  const starts = (input: string) =>
    nodes.flatMap(({ inputs, type }) => [
      fieldOf(inputs, input),
      ...(input === 'positive' && type.includes('Guider') ? [fieldOf(inputs, 'conditioning')] : []),
    ]);
  const prompts = starts('positive').flatMap((link) => graph.textsBefore(link));
  const negatives = starts('negative').flatMap((link) => graph.textsBefore(link));
  const pictures = nodes.filter(({ type }) => /^LoadImage(Mask)?$/.test(type));
  const roleOfInput = (node: Node, input: string, path: string): Role => {
    if (!isFieldPath(path) || path.split('.').length !== 3) return 'name';
    if (pictures.includes(node)) {
      return input === 'image' ? graph.roleOfPicture(node, pictures.length === 1) : 'workflow';
    }
    if (prompts.includes(path)) return 'prompt';
    if (negatives.includes(path)) return 'parameter';
    const isOffered =
      OFFERED.includes(input) ||
      SEEDS.includes(input) ||
      (SIZES.includes(input) && MAKES_SIZE.test(node.type)) ||
      // At 1 nothing of a picture is kept.
      (input === 'denoise' && Number(fieldOf(node.inputs, input)) < 1) ||
      (PADS.includes(input) && node.type === 'ImagePadForOutpaint');
    return isOffered ? 'parameter' : 'workflow';
  };
  const fields = nodes.flatMap((node) =>
    Object.entries(node.inputs).flatMap(([input, value]): VendorField[] => {
      if (isLink(value) || isObject(value)) return [];
      const path = `${node.id}.inputs.${input}`;
      const role = roleOfInput(node, input, path);
      const isPicture = role === 'ask' || (INPUT_NAMES as readonly string[]).includes(role);
      const declaration = isPicture ? null : declarationOf(specOf(fieldOf(info, node.type), input, value), null);
      return [
        {
          path,
          name: negatives.includes(path) ? 'negative_prompt' : PADS.includes(input) ? `pad_${input}` : input,
          description: plainText(fieldOf(node, '_meta', 'title'), MAX_DESCRIPTION),
          isRequired: isPicture,
          files: isPicture ? 'one' : null,
          declaration,
          role: role === 'parameter' && !declaration ? 'workflow' : role,
          ...(role === 'mask' && graph.isByTransparency(node) && { mask: 'transparent_mask' }),
        },
      ];
    }),
  );
  return fields;
}

const TYPES: Readonly<Record<string, string>> = {
  INT: 'integer',
  FLOAT: 'number',
  STRING: 'string',
  BOOLEAN: 'boolean',
};

/** The schema of a literal input: `/object_info` has `["INT", { min, max, step }]`, or `[["euler", …]]` for choices. */
function specOf(info: unknown, input: string, value: unknown): Schema {
  const spec = fieldOf(info, 'input', 'required', input) ?? fieldOf(info, 'input', 'optional', input);
  const [type, details] = (Array.isArray(spec) ? spec : []) as readonly unknown[];
  const choices = type === 'COMBO' ? fieldOf(details, 'options') : type;
  if (Array.isArray(choices)) return { type: 'string', enum: choices, default: value };
  const isWhole = Number.isInteger(value) && !FRACTIONS.includes(input);
  const literal = typeof value === 'number' ? (isWhole ? 'integer' : 'number') : typeof value;
  const step = fieldOf(details, 'step');
  return {
    type: TYPES[String(type)] ?? literal,
    minimum: fieldOf(details, 'min'),
    maximum: fieldOf(details, 'max'),
    multipleOf: SIZES.includes(input) && Number(value) % Number(step) === 0 ? step : undefined,
    description: fieldOf(details, 'tooltip'),
    default: value,
  };
}

/** The kind of the files that are saved; of previews only when nothing is saved. `null` when it is unclear. */
function kindOf({ nodes }: Graph, info: unknown): ModelKind | null {
  const saves = nodes.flatMap(({ type }) => {
    const kind = SAVES.find(([, types]) => types.test(type))?.[0];
    const isOutput = fieldOf(info, type, 'output_node') === true && !PREVIEW.test(type);
    return kind ? [kind] : isOutput ? [null] : [];
  });
  const kinds = new Set(
    saves.length > 0 ? saves : nodes.some(({ type }) => PREVIEW.test(type)) ? ['image' as const] : [],
  );
  if (kinds.size === 0) throw refused('has no node that saves its output, such as SaveImage');
  kinds.delete('sound');
  if (kinds.size === 0) throw refused('saves sounds only');
  return kinds.size === 1 ? ([...kinds][0] as ModelKind | null) : null;
}

import type { SampleKind } from './sample-outputs.ts';

/*
 * Workflows and nodes of the fake ComfyUI; its sources are named in comfyui.ts.
 */

export type Workflow = Record<
  string,
  { class_type: string; inputs: Record<string, unknown>; _meta?: { title: string } }
>;

const CHECKPOINTS = ['sd_xl_base_1.0.safetensors', 'v1-5-pruned-emaonly-fp16.safetensors'];

/** The types of nodes, with the choices of their inputs. */
export type Nodes = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export const NODES: Nodes = {
  CheckpointLoaderSimple: { ckpt_name: CHECKPOINTS },
  CLIPTextEncode: {},
  EmptyLatentImage: {},
  KSampler: { sampler_name: ['euler', 'dpmpp_2m'], scheduler: ['normal', 'karras'] },
  VAEDecode: {},
  VAEEncode: {},
  LoadImage: {},
  ImageScaleToTotalPixels: { upscale_method: ['nearest-exact', 'lanczos'] },
  SaveImage: {},
  PreviewImage: {},
  SaveSVG: {},
  SaveVideo: {},
  VHS_VideoCombine: {},
  SaveGLB: {},
  // Training, and what uses it; the choices of the last two are those that the server has at the moment.
  TrainLoraNode: { optimizer: ['AdamW', 'Adam'], loss_function: ['MSE', 'L1'], existing_lora: ['[None]'] },
  SaveLoRA: {},
  PrimitiveString: {},
  PreviewAny: {},
  LoadImageDataSetFromFolder: { folder: [] },
  LoraLoader: { lora_name: [] },
};

/** Nodes that save files: the key of the outputs, the kind of file, and its type. */
const SAVES: Record<string, readonly [key: string, kind: SampleKind, type: string]> = {
  SaveImage: ['images', 'image', 'output'],
  PreviewImage: ['images', 'image', 'temp'],
  SaveSVG: ['images', 'svg', 'output'],
  SaveVideo: ['images', 'video', 'output'],
  VHS_VideoCombine: ['gifs', 'video', 'output'],
  SaveGLB: ['3d', 'glb', 'output'],
};
const EXTENSIONS = { image: 'png', svg: 'svg', video: 'mp4', glb: 'glb', weights: 'safetensors', html: 'png' } as const;

/** The kind of a file that a node has saved, by its name. */
export function kindOf(filename: string): SampleKind {
  const extension = filename.split('.').at(-1);
  return Object.values(SAVES).find(([, kind]) => EXTENSIONS[kind] === extension)![1];
}

/** The body of the refusal of a workflow; `null` for a valid workflow. */
export function invalidity(
  prompt: Workflow,
  nodes: Nodes,
  { isOlder, isSeedWrong }: { readonly isOlder: boolean; readonly isSeedWrong: boolean },
): object | null {
  for (const [nodeId, node] of Object.entries(prompt)) {
    if (Object.hasOwn(nodes, node.class_type)) continue;
    const title = node._meta?.title ?? node.class_type;
    const missing = {
      type: 'missing_node_type',
      message: `Node '${title}' not found. The custom node may not be installed.`,
      extra_info: { node_id: nodeId, class_type: node.class_type, node_title: title },
    };
    const older = {
      type: 'invalid_prompt',
      message: `Cannot execute because node ${node.class_type} does not exist.`,
      extra_info: {},
    };
    const error = isOlder ? older : missing;
    return { error: { ...error, details: `Node ID '#${nodeId}'` }, node_errors: {} };
  }
  const errors: Record<string, object> = {};
  for (const [nodeId, { class_type, inputs }] of Object.entries(prompt)) {
    const wrong = Object.entries(nodes[class_type]!).find(
      ([name, choices]) => typeof inputs[name] === 'string' && !choices.includes(inputs[name]),
    );
    if (wrong) errors[nodeId] = nodeError(class_type, wrong[0], 'value_not_in_list', 'Value not in list');
    if (isSeedWrong && 'seed' in inputs) {
      errors[nodeId] = nodeError(class_type, 'seed', 'value_bigger_than_max', 'Value 9 bigger than max of 8');
    }
  }
  if (Object.keys(errors).length === 0) return null;
  const details = 'Value not in list: ckpt_name: /models/private.safetensors';
  const message = 'Prompt outputs failed validation';
  const error = { type: 'prompt_outputs_failed_validation', message, details, extra_info: {} };
  return { error, node_errors: errors };
}

/** The response of `/object_info` for a type of node, or for all types. */
export function nodeInfos(nodes: Nodes, node: string): Record<string, object> {
  const names = node === '' ? Object.keys(nodes) : [node].filter((name) => Object.hasOwn(nodes, name));
  return Object.fromEntries(names.map((name) => [name, nodeInfo(name, nodes[name]!)]));
}
/** An input with choices is a list of them, or "COMBO" with options (nodes of the newer kind). */
function nodeInfo(name: string, inputs: Record<string, readonly string[]>): object {
  const required = Object.entries(inputs).map(([input, choices]) =>
    name === 'KSampler' ? [input, [choices, {}]] : [input, ['COMBO', { options: choices }]],
  );
  return { name, input: { required: { ...Object.fromEntries(required), other: ['INT', { min: 0 }] } } };
}

function nodeError(classType: string, input: string, type: string, message: string): object {
  const error = { type, message, details: input, extra_info: { input_name: input } };
  return { errors: [error], dependent_outputs: ['9'], class_type: classType };
}

/** The LoRAs that a workflow saves, by the names by which they can be loaded. */
export function lorasOf(prompt: Workflow): readonly string[] {
  return Object.values(prompt).flatMap(({ class_type, inputs }) => {
    const [, name] = class_type === 'SaveLoRA' ? (/^loras\/(.+)/.exec(String(inputs.prefix)) ?? []) : [];
    return name === undefined ? [] : [`${name}_00001_.safetensors`];
  });
}

/** The text of a node, or of the node that it is linked to. */
function textOf(prompt: Workflow, value: unknown): string {
  return Array.isArray(value) ? textOf(prompt, prompt[String(value[0])]?.inputs.value) : String(value);
}

/** The outputs in the history of a job. */
export function outputsOf({
  id,
  fields: prompt,
}: {
  readonly id: string;
  readonly fields: Workflow;
}): Record<string, unknown> {
  const outputs: Record<string, unknown> = {};
  for (const [nodeId, { class_type, inputs }] of Object.entries(prompt)) {
    if (class_type === 'PreviewAny') outputs[nodeId] = { text: [textOf(prompt, inputs.source)] };
    const saves = SAVES[class_type];
    if (!saves) continue;
    const [key, kind, type] = saves;
    const filename = `${id}_${nodeId}_.${EXTENSIONS[kind]}`;
    outputs[nodeId] = { [key]: [{ filename, subfolder: '', type }], ...(kind === 'video' && { animated: [true] }) };
  }
  return outputs;
}

import type { JsonObject, Mapping } from '#generation';
import { asObject } from './answers.ts';

/** The types of the nodes of a workflow in API format, each once. */
export function nodeTypesOf(workflow: JsonObject): readonly string[] {
  return [...new Set(Object.values(workflow).map((node) => String(asObject(node)['class_type'])))];
}

/**
 * What a workflow needs and the server lacks: a type of node, or a file (a checkpoint, a LoRA) that a node offers to
 * choose. `null` when it has all. Inputs that the mapping sets are not looked at.
 *
 * @param info by type of node, as `/object_info` shows it
 */
export function missingFrom(
  workflow: JsonObject,
  mapping: Mapping,
  info: Readonly<Record<string, unknown>>,
): string | null {
  const missing = nodeTypesOf(workflow).find((type) => !Object.hasOwn(info, type));
  if (missing) return `install the node ${missing} in ComfyUI, or take it out of the workflow`;
  for (const [id, node] of Object.entries(workflow)) {
    const { class_type: type, inputs } = asObject(node);
    for (const [name, value] of Object.entries(asObject(inputs))) {
      if (typeof value !== 'string' || Object.hasOwn(mapping, `${id}.inputs.${name}`)) continue;
      const choices = choicesOf(info[String(type)], name);
      if (choices && !choices.includes(value)) {
        return `add ${value} to ComfyUI, or change the workflow: it is no choice for ${name} of the node ${id}`;
      }
    }
  }
  return null;
}

/** An input with choices is `[["a", "b"], …]`, or `["COMBO", { options: ["a", "b"] }]`. */
function choicesOf(info: unknown, name: string): readonly unknown[] | null {
  const { required, optional } = asObject(asObject(info)['input']);
  const spec = asObject(required)[name] ?? asObject(optional)[name];
  const [type, options] = Array.isArray(spec) ? (spec as unknown[]) : [];
  const choices = type === 'COMBO' ? asObject(options)['options'] : type;
  return Array.isArray(choices) ? choices : null;
}

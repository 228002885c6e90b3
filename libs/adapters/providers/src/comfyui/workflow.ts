import type { JsonObject, Mapping } from '#catalogue';
import { asObject } from '../remote/json.ts';

/** The types of the nodes of a workflow in API format, each once. */
export function nodeTypesOf(workflow: JsonObject): readonly string[] {
  return [...new Set(Object.values(workflow).map((node) => String(asObject(node)['class_type'])))];
}

/**
 * The remedy for a node type or a file (checkpoint, LoRA) that the workflow needs and the server lacks; `null` when the
 * server has all. Inputs that the mapping sets are not checked.
 *
 * @param info the response of `/object_info`, by node type
 */
export function missingFrom(
  workflow: JsonObject,
  mapping: Mapping,
  info: Readonly<Record<string, unknown>>,
): string | null {
  const missing = nodeTypesOf(workflow).find((type) => !Object.hasOwn(info, type));
  if (missing) return `install the node ${missing} in ComfyUI, or remove it from the workflow`;
  for (const [id, node] of Object.entries(workflow)) {
    const { class_type: type, inputs } = asObject(node);
    for (const [name, value] of Object.entries(asObject(inputs))) {
      if (typeof value !== 'string' || Object.hasOwn(mapping, `${id}.inputs.${name}`)) continue;
      const choices = choicesOf(info[String(type)], name);
      if (choices && !choices.includes(value)) {
        return `add ${value} to ComfyUI, or change the workflow: the node ${id} does not offer it for ${name}`;
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
